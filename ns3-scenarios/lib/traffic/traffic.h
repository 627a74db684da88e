// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_TRAFFIC_H
#define TCPSWEEP_TRAFFIC_H

#include "network/streams.h"
#include "options/options.h"
#include "output/json.h"
#include "traffic/connection.h"
#include "traffic/transfers.h"

#include <ns3/data-rate.h>
#include <ns3/node.h>
#include <ns3/nstime.h>
#include <ns3/type-id.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tcpsweep
{

/// A source or destination of traffic.
struct TrafficNode
{
    std::string name;         //!< its name
    ns3::Ptr<ns3::Node> node; //!< the node, which has an address
};

/// The surroundings of a group of traffic in the simulation.
struct TrafficPlace
{
    uint32_t number{0};            //!< its number among all groups
    std::string name;              //!< its name
    std::vector<TrafficNode> from; //!< the sources of its data
    std::vector<TrafficNode> to;   //!< the destinations of its data
    ns3::TypeId variant;           //!< its congestion control
    bool hasOwnStream{false};      //!< whether it uses random numbers of an unset stream
    uint32_t segmentBytes{0};      //!< payload of a full segment
    uint32_t datagramBytes{0};     //!< payload of the largest UDP datagram that its paths carry
    /// the rate of the whole group that fills the link of the option `load`; nothing without a link
    std::optional<ns3::DataRate> fullRate;
};

/// The parameters of all kinds of traffic.
struct TrafficTimes
{
    ns3::Time start; //!< when it begins
    ns3::Time stop;  //!< when no more transfers begin; zero for no end

    /// @return the options of all kinds
    static std::vector<Option> DeclareOptions();

    /**
     * @param options the options in force
     * @return their values
     * @throws UsageError
     */
    static TrafficTimes FromOptions(const Options& options);

    /**
     * @param time a time
     * @return whether no transfer may begin then
     */
    bool
    AreOver(ns3::Time time) const
    {
        return stop.IsStrictlyPositive() && time >= stop;
    }
};

/**
 * A group of traffic: applications in the network next to the flows under study. Each group draws
 * its random numbers from its own streams, StreamOfTraffic(). So simulations that differ in the
 * variant offer the same traffic.
 */
class Traffic
{
  public:
    /**
     * @param kind the word for its kind
     * @param place its surroundings
     * @param times when it begins and ends
     * @param rows the rows for its transfers; nullptr to write none
     */
    Traffic(std::string kind, TrafficPlace place, TrafficTimes times, TransferRows* rows);
    virtual ~Traffic() = default;

    Traffic(const Traffic&) = delete;
    Traffic& operator=(const Traffic&) = delete;

    /// Write the rows of unfinished transfers, and release ns-3's objects. Call it once, after the
    /// end of the simulation and before Simulator::Destroy().
    void Finish();

    /**
     * Write its name, kind, nodes, times, transfers, connections and the members of its kind, as an
     * object.
     *
     * @param json the writer, which receives a value
     */
    void Write(JsonWriter& json) const;

  protected:
    /// @return its surroundings
    const TrafficPlace&
    Place() const
    {
        return m_place;
    }

    /// @return when it begins and ends
    const TrafficTimes&
    Times() const
    {
        return m_times;
    }

    /// @return its connections
    Connections&
    Tcp()
    {
        return m_connections;
    }

    /// @return a transfer that begins now, with the next number
    Transfer Begin();

    /// @param transfer a finished transfer with its final values; it finished now if it does not
    /// say when
    void AddFinished(Transfer transfer);

    /// @param transfer an unfinished transfer with its final values
    void AddUnfinished(const Transfer& transfer);

    /// Count a transfer that cannot finish because TCP gave up.
    void
    CountFailed()
    {
        ++m_failed;
    }

    /// @return the number of transfers that began
    uint32_t
    Begun() const
    {
        return m_begun;
    }

  private:
    /// Call AddUnfinished() for each transfer that is not finished.
    virtual void EndAll() = 0;

    /// @param json the writer, which receives the members of this kind
    virtual void WriteKind(JsonWriter& json) const = 0;

    std::string m_kind;          //!< the word for its kind
    TrafficPlace m_place;        //!< its surroundings
    TrafficTimes m_times;        //!< when it begins and ends
    TransferRows* m_rows;        //!< the rows for its transfers
    Connections m_connections;   //!< its connections
    uint32_t m_stream{0};        //!< streams that its connections use so far
    uint32_t m_begun{0};         //!< transfers that began
    uint32_t m_finished{0};      //!< transfers that finished
    uint32_t m_failed{0};        //!< transfers in which TCP gave up
    uint32_t m_unfinished{0};    //!< unfinished transfers at the end, including failed ones
    uint64_t m_offeredBytes{0};  //!< payload of all transfers
    uint64_t m_receivedBytes{0}; //!< payload that was read
};

/// The streams of a group for each purpose.
constexpr uint32_t STREAMS_PER_TRAFFIC = 10000;

/**
 * @param draw the purpose
 * @param place a group of traffic
 * @param member a number there; streams repeat after STREAMS_PER_TRAFFIC of them
 * @return the number of a random stream
 */
int64_t StreamOfTraffic(Draw draw, const TrafficPlace& place, uint32_t member = 0);

} // namespace tcpsweep

#endif // TCPSWEEP_TRAFFIC_H
