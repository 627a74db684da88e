// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_INCAST_H
#define TCPSWEEP_INCAST_H

#include "traffic/traffic.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace tcpsweep
{

/// Many senders that answer one request at once.
struct IncastParameters
{
    uint64_t requestBytes; //!< what the client sends to each
    uint64_t bytes;        //!< what each answers
    ns3::Time every;       //!< time between two requests; zero for as soon as all have answered
    uint64_t rounds;       //!< after how many it ends; 0 for no limit
    bool persistent;       //!< whether each sender keeps one connection
    TrafficTimes times;    //!< when the first and the last request may go

    /// @return the options of this kind
    static std::vector<Option> DeclareOptions();

    /**
     * @param options the options in force
     * @param place what the group is told
     * @return their values
     * @throws UsageError
     */
    static IncastParameters FromOptions(const Options& options, const TrafficPlace& place);
};

/**
 * Incast: a client asks all senders at once, and each answers with the same bytes, so that the
 * answers meet at the client's link (Phanishayee et al., FAST 2008). A round is finished when the
 * client has read all answers. The client opens the connections, with the first request or with
 * each; a round whose connection TCP gives up stays unfinished, and the next goes on.
 */
class Incast : public Traffic
{
  public:
    /**
     * @param parameters the parameters
     * @param place what it is told, with one node that its data go to
     * @param rows where its rounds go; nullptr to write none
     */
    Incast(const IncastParameters& parameters, const TrafficPlace& place, TransferRows* rows);

  private:
    /// A round that is not finished.
    struct Round
    {
        Transfer transfer;   //!< what is known of it
        std::size_t left{0}; //!< answers that neither came nor failed
    };

    /// A sender and its connection.
    struct Sender
    {
        Connection* connection{nullptr}; //!< the open connection, if there is one
        std::deque<uint32_t> rounds;     //!< the rounds whose answers are to come over it
        uint64_t asked{0};               //!< requests that the sender has read
        uint64_t credited{0};            //!< what the client has read, as far as rounds have it
        uint64_t missing{0};             //!< what the first of the rounds lacks
    };

    void EndAll() override;
    void WriteKind(JsonWriter& json) const override;

    /// Begin a round.
    void Ask();

    /// @param node a sender, to ask over a connection that it has, or a new one
    void Ask(const TrafficNode& node, uint32_t round);

    /// @param sender who has read more of its requests
    void Answer(Sender& sender);

    /// @param sender from whom the client has read more
    void Take(Sender& sender);

    /**
     * @param number the round that an answer belongs to
     * @param whole whether the answer came, not failed
     */
    void CountAnswer(uint32_t number, bool whole);

    IncastParameters m_parameters;                      //!< the parameters
    std::map<uint32_t, std::shared_ptr<Sender>> m_kept; //!< each sender's connection, if it is kept
    std::map<uint32_t, Round> m_rounds;                 //!< the rounds that are not finished
};

} // namespace tcpsweep

#endif // TCPSWEEP_INCAST_H
