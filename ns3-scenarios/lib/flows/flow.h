// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_FLOW_H
#define TCPSWEEP_FLOW_H

#include "flows/programs.h"
#include "network/direction.h"
#include "network/flow-ends.h"
#include "output/json.h"
#include "traces/delivery-trace.h"
#include "traces/flow-counters.h"

#include <ns3/nstime.h>
#include <ns3/type-id.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tcpsweep
{

/// A flow from one node to another, with ns-3's or the kernel's TCP, or with QUIC.
class Flow
{
  public:
    /// The parameters of a flow.
    struct Parameters
    {
        uint32_t index{0};             //!< its number among all flows
        std::string group;             //!< the name of its group of flows, if it has one
        FlowEnds ends;                 //!< its ends
        uint16_t sourcePort{0};        //!< the sender's port, which none of its other flows has
        uint16_t destinationPort{0};   //!< the receiver's port, which none of its other flows has
        ns3::TypeId variant;           //!< congestion control of both ends
        std::optional<int64_t> stream; //!< random stream of the sender's congestion control;
                                       //!< nothing to keep the attribute's value
        uint32_t segmentBytes{0};      //!< payload of a full segment
        uint32_t socketBufferBytes{0}; //!< size of its sockets' buffers
        std::optional<uint32_t> delayedAcks; //!< segments of which the receiver acknowledges one;
                                             //!< nothing for the value of all sockets
        std::optional<ns3::Time> delayedAckTimeout; //!< the timeout of delayed ACKs
        bool hasOwnBuffers{false}; //!< whether the size of its buffers is not all sockets'
        uint64_t bytes{0};         //!< payload to send; 0 for no limit
        double packetRate{0};      //!< packets offered per second; 0 for as fast as TCP allows
        Programs programs;         //!< the programs that send and receive, instead of ns-3's own
        ns3::Time start;           //!< when it starts
        ns3::Time stop;            //!< when it leaves; zero for never
        bool sharesSender{false};  //!< whether other flows begin or end at its sender
        Direction direction{Direction::FORWARD}; //!< which direction of the bottleneck its data
                                                 //!< take
        std::optional<ns3::Time> countUntil; //!< where its packets are counted: those sent by then
                                             //!< and not received are lost

        /// @return whether it stops no later than it starts, so that it never begins
        bool
        NeverBegins() const
        {
            return stop.IsStrictlyPositive() && stop <= start;
        }
    };

    /// @param parameters its parameters, with nodes that have addresses
    explicit Flow(const Parameters& parameters)
        : m_parameters(parameters)
    {
    }

    virtual ~Flow() = default;

    Flow(const Flow&) = delete;
    Flow& operator=(const Flow&) = delete;

    /// @return the flow's parameters
    const Parameters&
    Get() const
    {
        return m_parameters;
    }

    /// @return payload that the receiving application has read
    uint64_t
    ReceivedBytes() const
    {
        return m_received;
    }

    /// @return payload that has arrived and that the application cannot read, because bytes before
    /// it are missing; 0 if arrivals have no rows
    uint64_t
    WaitingBytes() const
    {
        return m_arrivals ? m_arrivals->WaitingBytes() : 0;
    }

    /// @return when the sender's connection was established; nothing if it never was
    std::optional<ns3::Time>
    Established() const
    {
        return m_established;
    }

    /// @return when the receiving application had read all bytes; nothing if it has not, or the
    /// flow has no end
    std::optional<ns3::Time>
    Finish() const
    {
        return m_finish;
    }

    /// @return the counters of its packets; nullptr if they are not counted
    const FlowCounters*
    Counters() const
    {
        return m_counters ? &*m_counters : nullptr;
    }

    /// @return whose transport its ends have: ns-3, linux or quic
    virtual std::string
    Stack() const
    {
        return "ns-3";
    }

    /// @return the traces that its TCP does not provide
    virtual std::vector<std::string> Unavailable() const = 0;

    /// @param json where what only such flows have goes, as members of an object
    virtual void
    WriteMore(JsonWriter& json) const
    {
        (void)json;
    }

  protected:
    /// Count its packets from now on, if that is asked for. They are tagged by then.
    void
    CountPackets()
    {
        if (m_parameters.countUntil)
        {
            m_counters.emplace(m_parameters.ends,
                               m_parameters.index,
                               m_parameters.programs.Any()
                                   ? std::nullopt
                                   : std::optional(m_parameters.destinationPort),
                               *m_parameters.countUntil);
        }
    }

    /**
     * Write a row for each packet with payload that the receiver did not have. An application may
     * read bytes long after their arrival, if others before them are missing.
     *
     * @param arrivals follows the flow's packets at the receiver
     * @param rows arrived payload, each byte once; nullptr for no rows
     */
    void
    CountArrivals(DeliveryTrace& arrivals, TraceSeries* rows)
    {
        if (!rows)
        {
            return;
        }
        m_arrivals = &arrivals;
        arrivals.WhenNew(
            [this, rows](uint32_t payload)
            {
                m_arrived += payload;
                AddRow(rows, static_cast<int32_t>(m_parameters.index), m_arrived);
            });
    }

    Parameters m_parameters;                //!< the flow's parameters
    std::optional<FlowCounters> m_counters; //!< counts its packets, if that is asked for
    uint64_t m_received{0};                 //!< payload that the application has read, in bytes
    uint64_t m_arrived{0};                  //!< payload that has arrived, each byte once
    const DeliveryTrace* m_arrivals{
        nullptr};                           //!< follows the arrivals; nullptr if they have no rows
    std::optional<ns3::Time> m_established; //!< when the connection was established
    std::optional<ns3::Time> m_finish;      //!< when all bytes were received
};

} // namespace tcpsweep

#endif // TCPSWEEP_FLOW_H
