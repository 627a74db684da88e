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
    uint64_t requestBytes; //!< size of the request to each sender
    uint64_t bytes;        //!< size of each answer
    ns3::Time every;       //!< time between rounds; zero: a round begins after all answers
    uint64_t rounds;       //!< the number of rounds; 0 for no limit
    bool persistent;       //!< whether each sender keeps one connection
    TrafficTimes times;    //!< when the first and the last round may begin

    /// @return the options of this kind
    static std::vector<Option> DeclareOptions();

    /**
     * @param options the options in force
     * @param place the group's surroundings
     * @return their values
     * @throws UsageError
     */
    static IncastParameters FromOptions(const Options& options, const TrafficPlace& place);
};

/**
 * Incast: a client sends a request to all senders at once, and each answers with the same number of
 * bytes, so that the answers collide at the client's link (Phanishayee et al., FAST 2008). A round
 * is finished when the client has read all answers. The client opens the connections for the first
 * request or for each request. If TCP gives up a connection, its round stays unfinished, and the
 * next round begins.
 */
class Incast : public Traffic
{
  public:
    /**
     * @param parameters the parameters
     * @param place its surroundings, with one destination node
     * @param rows the rows for its rounds; nullptr to write none
     */
    Incast(const IncastParameters& parameters, const TrafficPlace& place, TransferRows* rows);

  private:
    /// A round that is not finished.
    struct Round
    {
        Transfer transfer;   //!< its row so far
        std::size_t left{0}; //!< answers that neither arrived nor failed
    };

    /// A sender and its connection.
    struct Sender
    {
        Connection* connection{nullptr}; //!< the open connection, if there is one
        std::deque<uint32_t> rounds;     //!< the rounds whose answers it will carry
        uint64_t asked{0};               //!< requests that the sender has read
        uint64_t credited{0};            //!< bytes read that are assigned to rounds
        uint64_t missing{0};             //!< bytes that the first of the rounds lacks
    };

    void EndAll() override;
    void WriteKind(JsonWriter& json) const override;

    /// Begin a round.
    void Ask();

    /// @param node a sender; request over its connection or a new one
    void Ask(const TrafficNode& node, uint32_t round);

    /// @param sender a sender that has read more requests
    void Answer(Sender& sender);

    /// @param sender a sender from which the client has read more bytes
    void Take(Sender& sender);

    /**
     * @param number the round that an answer belongs to
     * @param whole whether the answer arrived; false if it failed
     */
    void CountAnswer(uint32_t number, bool whole);

    IncastParameters m_parameters;                      //!< the parameters
    std::map<uint32_t, std::shared_ptr<Sender>> m_kept; //!< each sender's connection, if it is kept
    std::map<uint32_t, Round> m_rounds;                 //!< the rounds that are not finished
};

} // namespace tcpsweep

#endif // TCPSWEEP_INCAST_H
