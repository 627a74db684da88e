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

/// A node that traffic comes from or goes to.
struct TrafficNode
{
    std::string name;         //!< its name
    ns3::Ptr<ns3::Node> node; //!< the node, which has an address
};

/// What a group of traffic is told of the simulation around it.
struct TrafficPlace
{
    uint32_t number{0};            //!< its number among all groups, below MOST_TRAFFIC
    std::string name;              //!< its name
    std::vector<TrafficNode> from; //!< where its data come from
    std::vector<TrafficNode> to;   //!< where they go to
    ns3::TypeId variant;           //!< its congestion control
    bool hasOwnStream{false};      //!< whether that draws, and from no stream that is given
    uint32_t segmentBytes{0};      //!< payload of a full segment
    /// the rate of the whole group that fills the link whose load is asked for; nothing if no link
    /// was named
    std::optional<ns3::DataRate> fullRate;
};

/// What all kinds of traffic have.
struct TrafficTimes
{
    ns3::Time start; //!< when it begins
    ns3::Time stop;  //!< when nothing new begins any more; zero for never

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
     * @return whether nothing new may begin then
     */
    bool
    AreOver(ns3::Time time) const
    {
        return stop.IsStrictlyPositive() && time >= stop;
    }
};

/**
 * A group of traffic: applications that the network carries beside the flows that are studied.
 * Groups differ in kind; each does its own draws, from the streams of StreamOfTraffic(), so that
 * simulations that differ in the variant see the same traffic offered.
 */
class Traffic
{
  public:
    /**
     * @param kind the word for its kind
     * @param place what it is told
     * @param times when it begins and ends
     * @param rows where its transfers go; nullptr to write none
     */
    Traffic(std::string kind, TrafficPlace place, TrafficTimes times, TransferRows* rows);
    virtual ~Traffic() = default;

    Traffic(const Traffic&) = delete;
    Traffic& operator=(const Traffic&) = delete;

    /// Write the rows of what is not finished, and release ns-3's objects: once, after the
    /// simulation's end, before Simulator::Destroy().
    void Finish();

    /**
     * Write its name, kind, nodes, times, transfers, connections and what its kind has to tell, as
     * an object.
     *
     * @param json where it goes, as a value
     */
    void Write(JsonWriter& json) const;

  protected:
    /// @return what it was told
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

    /// @param transfer a transfer that is finished, now if it does not say when, and its last
    /// values
    void AddFinished(Transfer transfer);

    /// @param transfer a transfer that was not finished, and its last values
    void AddUnfinished(const Transfer& transfer);

    /// Count a transfer that cannot finish any more, as TCP gave up.
    void
    CountFailed()
    {
        ++m_failed;
    }

    /// @return how many transfers began
    uint32_t
    Begun() const
    {
        return m_begun;
    }

  private:
    /// Call AddUnfinished() for each transfer that is not finished.
    virtual void EndAll() = 0;

    /// @param json where what the kind has to tell goes, as members
    virtual void WriteKind(JsonWriter& json) const = 0;

    std::string m_kind;          //!< the word for its kind
    TrafficPlace m_place;        //!< what it was told
    TrafficTimes m_times;        //!< when it begins and ends
    TransferRows* m_rows;        //!< where its transfers go
    Connections m_connections;   //!< its connections
    uint32_t m_stream{0};        //!< streams of its connections so far
    uint32_t m_begun{0};         //!< transfers that began
    uint32_t m_finished{0};      //!< transfers that finished
    uint32_t m_failed{0};        //!< transfers that TCP gave up
    uint32_t m_unfinished{0};    //!< transfers that were not finished at the end, these included
    uint64_t m_offeredBytes{0};  //!< payload of all transfers
    uint64_t m_receivedBytes{0}; //!< what of it was read
};

/// Streams of a group for each purpose.
constexpr uint32_t STREAMS_PER_TRAFFIC = 10000;
/// The most groups of traffic in a simulation.
constexpr uint32_t MOST_TRAFFIC = STREAMS_PER_PURPOSE / STREAMS_PER_TRAFFIC;

/**
 * @param draw the purpose
 * @param place a group of traffic
 * @param member a number there; streams repeat after STREAMS_PER_TRAFFIC of them
 * @return the number of a random stream
 */
int64_t StreamOfTraffic(Draw draw, const TrafficPlace& place, uint32_t member = 0);

} // namespace tcpsweep

#endif // TCPSWEEP_TRAFFIC_H
