// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_VIDEO_H
#define TCPSWEEP_VIDEO_H

#include "traffic/traffic.h"

#include <ns3/event-id.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tcpsweep
{

/// Videos in chunks.
struct VideoParameters
{
    ns3::Time chunk;                   //!< what a chunk plays
    std::vector<ns3::DataRate> ladder; //!< the bitrates to choose from, rising
    ns3::Time buffer;                  //!< the most that the player keeps
    ns3::Time startup;                 //!< what it needs to begin, and to go on after a stall
    ns3::Time length;                  //!< what the whole video plays; zero for no end
    uint64_t requestBytes;             //!< what it sends to ask for a chunk
    TrafficTimes times;                //!< when it begins, and when it asks for no more chunks

    /// @return the options of this kind
    static std::vector<Option> DeclareOptions();

    /**
     * @param options the options in force
     * @param place what the group is told
     * @return their values
     * @throws UsageError
     */
    static VideoParameters FromOptions(const Options& options, const TrafficPlace& place);
};

/**
 * Buffer-based choice of a bitrate, BBA-0 of Huang et al., SIGCOMM 2014 (section 4): with f the
 * line from the lowest bitrate at the reservoir, 37.5 % of the buffer, to the highest at 90 %
 * (there 90 s and 216 s of 240 s), go up to the highest bitrate below f(level) if f(level) reaches
 * the next higher bitrate, down to the lowest above it if it falls to the next lower, else stay.
 *
 * @param ladder the bitrates, rising
 * @param now the place of the present one
 * @param level the share of the buffer that is full
 * @return the place of the next one
 */
std::size_t ChooseBitrate(const std::vector<ns3::DataRate>& ladder, std::size_t now, double level);

/**
 * Players that ask for one chunk after the other over one connection, as long as their buffer has
 * room for it: each node that data go to has one, the i-th from the i-th node that they come from,
 * in turn. Playback begins once `startup` is there, and stalls when the buffer is empty until it is
 * there again. It plays what there is once nothing more will come: after the last chunk, or `stop`.
 */
class Video : public Traffic
{
  public:
    /**
     * @param parameters the parameters
     * @param place what it is told
     * @param rows where its chunks go; nullptr to write none
     */
    Video(const VideoParameters& parameters, const TrafficPlace& place, TransferRows* rows);

  private:
    /// A player.
    struct Player
    {
        TrafficNode server;              //!< where its video comes from
        TrafficNode client;              //!< where it plays
        Connection* connection{nullptr}; //!< its connection; nullptr before and after
        std::optional<Transfer> chunk;   //!< the chunk that it waits for
        uint64_t asked{0};               //!< requests that the server has read
        uint64_t before{0};              //!< bytes of the chunks before
        uint64_t chunks{0};              //!< chunks that came
        std::size_t bitrate{0};          //!< the place of the present bitrate
        double bitrates{0};              //!< the sum of the chunks' bitrates
        uint64_t switches{0};            //!< changes of the bitrate
        ns3::Time level;                 //!< what the buffer held at `since`
        ns3::Time since;                 //!< when it was last looked at
        bool playing{false};             //!< whether it plays
        bool ended{false};               //!< whether it has played all
        std::optional<ns3::Time> began;  //!< when playback began
        ns3::Time stopped;               //!< when it began to stall or to end
        ns3::Time stalled;               //!< how long it stalled, without the present stall
        uint64_t stalls{0};              //!< how often
        ns3::Time stalledBefore;         //!< how long it had stalled when it last asked
        ns3::EventId empty;              //!< the time at which its buffer will be empty
    };

    void EndAll() override;
    void WriteKind(JsonWriter& json) const override;

    /// @param player a player that asks for the next chunk, if there is one
    void Ask(Player& player);

    /// @param player a player whose server has read more of its requests
    void Answer(Player& player);

    /// @param player a player that has read more
    void Take(Player& player);

    /// @param player a player, whose buffer to bring up to date
    void Play(Player& player);

    /// @param player a player that begins to play what it has, or goes on after a stall, if it may
    void Resume(Player& player);

    /// @param player a player that has nothing left to play
    void RunDry(Player& player);

    /// @return how long a player has stalled up to now
    ns3::Time StalledOf(const Player& player) const;

    /// @return whether a player has the video's last chunk
    bool HasAll(const Player& player) const;

    VideoParameters m_parameters;                   //!< the parameters
    uint64_t m_count{0};                            //!< chunks of the video; 0 for no end
    std::vector<std::unique_ptr<Player>> m_players; //!< the players
};

} // namespace tcpsweep

#endif // TCPSWEEP_VIDEO_H
