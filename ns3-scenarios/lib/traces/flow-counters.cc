// SPDX-License-Identifier: GPL-2.0-only
#include "traces/flow-counters.h"

#include "network/internet.h"
#include "traces/flow-tag.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <tuple>

namespace tcpsweep
{

FlowCounters::FlowCounters(const FlowEnds& ends,
                           uint32_t flow,
                           std::optional<uint16_t> port,
                           ns3::Time until)
    : m_until(until)
{
    const auto data = static_cast<int32_t>(flow);
    const int32_t acks = AcksOf(flow);
    const auto follow = [](ns3::Ptr<ns3::Node> node, const std::string& source, auto sink)
    {
        FollowTransport(node,
                        source,
                        [sink](const auto&, const Segment& segment, uint32_t bytes)
                        {
                            FlowTag tag;
                            if (segment->PeekPacketTag(tag))
                            {
                                sink(tag, bytes);
                            }
                        });
    };
    if (port)
    {
        FollowSegments(ends.receiver,
                       "SendOutgoing",
                       [acks, port](const Segment& segment, uint32_t)
                       {
                           FlowTag tag;
                           if (SourcePortOf(segment) == *port && !segment->PeekPacketTag(tag))
                           {
                               segment->AddPacketTag(FlowTag(acks, ns3::Simulator::Now()));
                           }
                       });
    }
    for (const auto& [node, source, whose, way] :
         {std::tuple(ends.sender, "SendOutgoing", data, &m_data),
          std::tuple(ends.receiver, "SendOutgoing", acks, &m_acks)})
    {
        follow(node,
               source,
               [this, whose = whose, way = way](const FlowTag& tag, uint32_t bytes)
               {
                   if (tag.Flow() == whose)
                   {
                       Send(*way, bytes);
                   }
               });
    }
    for (const auto& [node, source, whose, way] :
         {std::tuple(ends.receiver, "LocalDeliver", data, &m_data),
          std::tuple(ends.sender, "LocalDeliver", acks, &m_acks)})
    {
        follow(node,
               source,
               [this, whose = whose, way = way](const FlowTag& tag, uint32_t bytes)
               {
                   if (tag.Flow() == whose)
                   {
                       Receive(*way, tag.Sent(), bytes);
                   }
               });
    }
}

void
FlowCounters::Send(Way& way, uint32_t bytes)
{
    ++way.sentPackets;
    way.sentBytes += bytes;
    way.due += ns3::Simulator::Now() <= m_until;
}

void
FlowCounters::Receive(Way& way, ns3::Time sent, uint32_t bytes)
{
    ++way.receivedPackets;
    way.receivedBytes += bytes;
    way.due -= sent <= m_until;
    const int64_t delay = (ns3::Simulator::Now() - sent).GetNanoSeconds();
    way.delays += delay;
    way.delayChanges += way.lastDelay < 0 ? 0 : std::abs(delay - way.lastDelay);
    way.lastDelay = delay;
}

void
FlowCounters::Write(JsonWriter& json) const
{
    const auto write = [&json](const Way& way, const std::string& prefix)
    {
        json.Member(prefix + "tx_packets", way.sentPackets)
            .Member(prefix + "tx_bytes", way.sentBytes)
            .Member(prefix + "rx_packets", way.receivedPackets)
            .Member(prefix + "rx_bytes", way.receivedBytes)
            .Member(prefix + "lost_packets", static_cast<uint64_t>(std::max<int64_t>(way.due, 0)))
            .Member(prefix + "delay_sum_s", static_cast<double>(way.delays) / 1e9)
            .Member(prefix + "jitter_sum_s", static_cast<double>(way.delayChanges) / 1e9);
    };
    json.BeginObject();
    write(m_data, "");
    write(m_acks, "ack_");
    json.EndObject();
}

} // namespace tcpsweep
