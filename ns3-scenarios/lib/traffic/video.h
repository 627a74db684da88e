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
    ns3::Time chunk;                   //!< playing time of a chunk
    std::vector<ns3::DataRate> ladder; //!< the available bitrates, in ascending order
    ns3::Time buffer;                  //!< the capacity of the player's buffer
    ns3::Time startup;                 //!< buffer level to start, and to resume after a stall
    ns3::Time length;                  //!< playing time of the video; zero for no end
    uint64_t requestBytes;             //!< size of a request for a chunk
    TrafficTimes times;                //!< when it begins, and when it stops requesting chunks

    /// @return the options of this kind
    static std::vector<Option> DeclareOptions();

    /**
     * @param options the options in force
     * @param place the group's surroundings
     * @return their values
     * @throws UsageError
     */
    static VideoParameters FromOptions(const Options& options, const TrafficPlace& place);
};

/**
 * Buffer-based choice of a bitrate: BBA-0 of Huang et al., SIGCOMM 2014 (section 4). f is the line
 * from the lowest bitrate at the reservoir, 37.5 % of the buffer, to the highest at 90 % (in the
 * paper, 90 s and 216 s of 240 s). If f(level) reaches the next higher bitrate, go up to the
 * highest bitrate below f(level). If it falls to the next lower bitrate, go down to the lowest
 * bitrate above f(level). Otherwise, keep the bitrate.
 *
 * @param ladder the bitrates, in ascending order
 * @param now the index of the current bitrate
 * @param level the share of the buffer that is full
 * @return the index of the next bitrate
 */
std::size_t ChooseBitrate(const std::vector<ns3::DataRate>& ladder, std::size_t now, double level);

/**
 * Video players. Each requests one chunk after the other over one connection, while its buffer has
 * room. Each destination node has one player; the i-th player uses the i-th source, and sources
 * repeat in turn. Playback begins when the buffer has `startup`. It stalls when the buffer is
 * empty, until it has `startup` again. After the last chunk or `stop`, it plays the rest of the
 * buffer.
 */
class Video : public Traffic
{
  public:
    /**
     * @param parameters the parameters
     * @param place its surroundings
     * @param rows the rows for its chunks; nullptr to write none
     */
    Video(const VideoParameters& parameters, const TrafficPlace& place, TransferRows* rows);

  private:
    /// A player.
    struct Player
    {
        TrafficNode server;              //!< the source of its video
        TrafficNode client;              //!< the player's node
        Connection* connection{nullptr}; //!< its connection; nullptr before and after
        std::optional<Transfer> chunk;   //!< the requested chunk
        uint64_t asked{0};               //!< requests that the server has read
        uint64_t before{0};              //!< bytes of the earlier chunks
        uint64_t chunks{0};              //!< chunks received
        std::size_t bitrate{0};          //!< the index of the current bitrate
        double bitrates{0};              //!< the sum of the chunks' bitrates
        uint64_t switches{0};            //!< changes of the bitrate
        ns3::Time level;                 //!< the buffer's level at `since`
        ns3::Time since;                 //!< the time of the last update
        bool playing{false};             //!< whether it plays
        bool ended{false};               //!< whether it has played everything
        std::optional<ns3::Time> began;  //!< when playback began
        ns3::Time stopped;               //!< when the current stall, or the end, began
        ns3::Time stalled;               //!< the total stall time, without the current stall
        uint64_t stalls{0};              //!< the number of stalls
        ns3::Time stalledBefore;         //!< the total stall time at its last request
        ns3::EventId empty;              //!< the time at which its buffer will be empty
    };

    void EndAll() override;
    void WriteKind(JsonWriter& json) const override;

    /// @param player a player that requests the next chunk, if there is one
    void Ask(Player& player);

    /// @param player a player whose server has read more of its requests
    void Answer(Player& player);

    /// @param player a player that has read more bytes
    void Take(Player& player);

    /// @param player a player; update its buffer
    void Play(Player& player);

    /// @param player a player that begins or resumes playback, if its buffer allows it
    void Resume(Player& player);

    /// @param player a player that has nothing left to play
    void RunDry(Player& player);

    /// @return a player's total stall time until now
    ns3::Time StalledOf(const Player& player) const;

    /// @return whether a player has the video's last chunk
    bool HasAll(const Player& player) const;

    VideoParameters m_parameters;                   //!< the parameters
    uint64_t m_count{0};                            //!< chunks of the video; 0 for no end
    std::vector<std::unique_ptr<Player>> m_players; //!< the players
};

} // namespace tcpsweep

#endif // TCPSWEEP_VIDEO_H
