// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/link-traces.h"

#include <optional>
#include <string>

namespace tcpsweep
{

namespace
{

/**
 * @param json where it goes, as two members of an object
 * @param name how they begin
 * @param size a buffer's size; nothing if there is none
 */
void
WriteSize(JsonWriter& json, const std::string& name, const std::optional<ns3::QueueSize>& size)
{
    std::optional<uint32_t> packets;
    std::optional<uint32_t> bytes;
    if (size)
    {
        (size->GetUnit() == ns3::QueueSizeUnit::BYTES ? bytes : packets) = size->GetValue();
    }
    json.Member(name + "_packets", packets).Member(name + "_bytes", bytes);
}

/**
 * @param json the writer, which receives a value
 * @param from the time since which a link has these values
 * @param bandwidth its rate
 * @param delay its one-way delay
 */
void
WriteFrom(JsonWriter& json, ns3::Time from, ns3::DataRate bandwidth, ns3::Time delay)
{
    json.BeginObject()
        .Member("from_s", from.GetSeconds())
        .Member("bandwidth_bps", bandwidth.GetBitRate())
        .Member("delay_s", delay.GetSeconds())
        .EndObject();
}

/**
 * @param json the writer, which receives a list of its rates and delays with their times
 * @param way a direction of a link
 * @param end when the simulation ends
 */
void
WriteOverTime(JsonWriter& json, const WayParameters& way, ns3::Time end)
{
    json.Key("over_time").BeginArray();
    auto bandwidth = way.bandwidth;
    auto delay = way.delay;
    const auto& schedule = way.change.schedule;
    const bool starts = !schedule.changes.empty() && schedule.changes.front().time.IsZero();
    if (!starts)
    {
        WriteFrom(json, ns3::Time(), bandwidth, delay);
    }
    for (ns3::Time begin; begin < end; begin += schedule.period)
    {
        for (const auto& change : schedule.changes)
        {
            bandwidth = change.bandwidth.value_or(bandwidth);
            delay = change.delay.value_or(delay);
            if (begin + change.time < end)
            {
                WriteFrom(json, begin + change.time, bandwidth, delay);
            }
        }
        if (!schedule.period.IsStrictlyPositive())
        {
            break;
        }
    }
    json.EndArray();
}

/**
 * @param json the writer, which receives a value
 * @param link a link
 * @param way one of its directions
 * @param made its discs and counts
 * @param trace its events; nullptr if no flows' data take it
 * @param end when the simulation ends
 */
void
WriteWay(JsonWriter& json,
         const LinkParameters& link,
         const WayParameters& way,
         const TracedWay& made,
         const BottleneckTrace* trace,
         ns3::Time end)
{
    if (!trace)
    {
        json.Null();
        return;
    }
    json.BeginObject().Member("bandwidth_bps", way.bandwidth.GetBitRate());
    if (&way == &link.reverse && !(link.sameSchedule && way.bandwidth == link.forward.bandwidth &&
                                   way.delay == link.forward.delay))
    {
        WriteOverTime(json, way, end);
    }
    // The largest additional delay of a packet, beyond the link's rate and delay.
    const auto late =
        way.jitter + (way.change.reordering.IsOn() ? way.change.reordering.by : ns3::Time());
    json.Member("jitter_s", (way.change.trace ? end : late).GetSeconds());
    std::optional<ns3::QueueSize> size;
    std::optional<ns3::QueueSize> device;
    std::optional<std::string> disc;
    if (way.buffer)
    {
        size = way.buffer->size;
        if (way.buffer->hasDisc)
        {
            device = way.buffer->deviceSize;
            disc = way.buffer->disc.GetName();
        }
    }
    WriteSize(json, "queue", size);
    json.Member("queue_disc", disc);
    WriteSize(json, "device_queue", device);
    json.Member("has_trace", way.change.trace != nullptr);
    if (made.conditions)
    {
        json.Member("policed_packets", made.conditions->policedPackets)
            .Member("thinned_packets", made.conditions->thinnedPackets);
    }
    trace->Write(json);
    json.EndObject();
}

} // namespace

LinkTraces::LinkTraces(const std::vector<TracedLink>& links, ns3::Time end, OutputFiles& files)
    : m_links(links),
      m_end(end)
{
    for (const auto& link : links)
    {
        const auto trace = [&](const TracedWay& way, Direction direction, const Link& devices)
        {
            m_traces.push_back(way.isCrossed ? std::make_unique<BottleneckTrace>(
                                                   devices,
                                                   way.root,
                                                   files.Queue({link.parameters.name, direction}))
                                             : nullptr);
        };
        trace(link.forward, Direction::FORWARD, link.link);
        trace(link.reverse, Direction::REVERSE, Link{link.link.right, link.link.left});
    }
}

std::vector<TracedQueue>
LinkTraces::Queues(const std::vector<TracedLink>& links)
{
    std::vector<TracedQueue> queues;
    for (const auto& link : links)
    {
        if (link.forward.isCrossed)
        {
            queues.push_back({link.parameters.name, Direction::FORWARD});
        }
        if (link.reverse.isCrossed)
        {
            queues.push_back({link.parameters.name, Direction::REVERSE});
        }
    }
    return queues;
}

void
LinkTraces::Write(JsonWriter& json) const
{
    json.BeginArray();
    for (std::size_t i = 0; i < m_links.size(); ++i)
    {
        const auto& p = m_links[i].parameters;
        json.BeginObject()
            .Member("link", p.name)
            .Member("left", p.left)
            .Member("right", p.right)
            .Member("bdp_bytes", p.bdpBytes);
        WriteOverTime(json, p.forward, m_end);
        WriteWay(json.Key("forward"),
                 p,
                 p.forward,
                 m_links[i].forward,
                 m_traces[2 * i].get(),
                 m_end);
        WriteWay(json.Key("reverse"),
                 p,
                 p.reverse,
                 m_links[i].reverse,
                 m_traces[2 * i + 1].get(),
                 m_end);
        json.EndObject();
    }
    json.EndArray();
}

} // namespace tcpsweep
