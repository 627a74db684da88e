// SPDX-License-Identifier: GPL-2.0-only
#include "traffic/realtime.h"

#include "network/internet.h"
#include "options/values.h"

#include <ns3/packet.h>
#include <ns3/simulator.h>
#include <ns3/udp-socket-factory.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace tcpsweep
{

namespace
{

/// The port of the first group's receivers. The other groups use the next ports.
constexpr uint16_t FIRST_REALTIME_PORT = 7000;
/// The least MTU of IPv6 without IPv6's and UDP's headers.
constexpr uint32_t LARGEST_REALTIME_BYTES = 1280 - 40 - 8;

/// The first bytes of a packet.
struct RealtimeStamp
{
    uint64_t flow; //!< the flow's number in its group
    int64_t sent;  //!< when it was sent, in ns
};

} // namespace

std::vector<Option>
RealtimeParameters::DeclareOptions()
{
    return {{"rate", "Rate of the UDP payload of each flow while it is on", "bit/s", "64kbps"},
            {"packet_size", "UDP payload of each packet", "B", "160"},
            {"on", "How long it is on: a time, or exponential:MEAN", "s", "1s"},
            {"off", "How long it is off: a time, or exponential:MEAN; 0s for always on", "s", "0s"},
            {"bound", "One-way delay above which a packet is late", "s", "150ms"}};
}

RealtimeParameters
RealtimeParameters::FromOptions(const Options& options, const TrafficPlace& place)
{
    const auto positive = [](const std::string& text)
    {
        const auto durations = Durations::Parse(text);
        if (durations.Mean().IsZero())
        {
            throw BadValue("a time above zero", text);
        }
        return durations;
    };
    for (std::size_t i = 0; i < place.from.size(); ++i)
    {
        if (place.from[i].node == place.to[i % place.to.size()].node)
        {
            throw UsageError(options.Full("to"),
                             "has a flow from " + place.from[i].name + " to itself");
        }
    }
    return {
        options.As("rate", ParseRate),
        static_cast<uint32_t>(options.As(
            "packet_size",
            [most = std::min(place.datagramBytes, LARGEST_REALTIME_BYTES)](const std::string& text)
            { return ParseCount(text, sizeof(RealtimeStamp), most); })),
        options.As("on", positive),
        options.As("off", Durations::Parse),
        options.As("bound", ParseDuration),
        TrafficTimes::FromOptions(options)};
}

Realtime::Realtime(const RealtimeParameters& parameters, const TrafficPlace& place, TransferRows*)
    : Traffic("realtime", place, parameters.times, nullptr),
      m_parameters(parameters)
{
    const auto interval = parameters.rate.CalculateBytesTxTime(parameters.packetBytes);
    const auto count = static_cast<int64_t>(place.from.size());
    for (uint32_t i = 0; i < place.from.size(); ++i)
    {
        m_flows.push_back(std::make_unique<Flow>());
        auto& flow = *m_flows.back();
        flow.index = i;
        flow.from = place.from[i];
        flow.to = place.to[i % place.to.size()];
        flow.draws = ns3::CreateObject<ns3::UniformRandomVariable>();
        flow.draws->SetStream(StreamOfTraffic(Draw::TRAFFIC_TIME, place, i));
        Listen(flow.to.node);
        ns3::Simulator::Schedule(parameters.times.start +
                                     ns3::NanoSeconds(interval.GetNanoSeconds() * i / count),
                                 [this, &flow] { SwitchOn(flow); });
    }
}

void
Realtime::Listen(ns3::Ptr<ns3::Node> node)
{
    auto& socket = m_receivers[node->GetId()];
    if (!socket)
    {
        const auto port = static_cast<uint16_t>(FIRST_REALTIME_PORT + Place().number);
        socket = ns3::Socket::CreateSocket(node, ns3::UdpSocketFactory::GetTypeId());
        if (socket->Bind(AnyAddressOf(node, port)) != 0)
        {
            throw std::runtime_error("node " + std::to_string(node->GetId()) +
                                     " cannot receive at port " + std::to_string(port));
        }
        socket->SetRecvCallback(ns3::MakeCallback(&Realtime::Receive, this));
    }
}

void
Realtime::SwitchOn(Flow& flow)
{
    if (Times().AreOver(ns3::Simulator::Now()))
    {
        return;
    }
    if (!flow.socket)
    {
        flow.socket = ns3::Socket::CreateSocket(flow.from.node, ns3::UdpSocketFactory::GetTypeId());
        flow.socket->Bind(AnyAddressOf(flow.from.node, 0));
        flow.socket->Connect(
            SocketAddressOf(flow.to.node,
                            static_cast<uint16_t>(FIRST_REALTIME_PORT + Place().number)));
    }
    const bool always = m_parameters.off.Mean().IsZero();
    flow.since = ns3::Simulator::Now();
    flow.until =
        always ? ns3::Time::Max() : flow.since + m_parameters.on.At(flow.draws->GetValue(0, 1));
    flow.burst = 0;
    if (!always)
    {
        const auto next = flow.until + m_parameters.off.At(flow.draws->GetValue(0, 1));
        ns3::Simulator::Schedule(next - flow.since, [this, &flow] { SwitchOn(flow); });
    }
    Send(flow);
}

void
Realtime::Send(Flow& flow)
{
    const auto now = ns3::Simulator::Now();
    if (now >= flow.until || Times().AreOver(now))
    {
        return;
    }
    const RealtimeStamp stamp{flow.index, now.GetNanoSeconds()};
    const auto packet =
        ns3::Create<ns3::Packet>(reinterpret_cast<const uint8_t*>(&stamp), sizeof stamp);
    packet->AddPaddingAtEnd(m_parameters.packetBytes - sizeof stamp);
    ++flow.sent;
    Recent(flow.justSent).push_back(stamp.sent);
    flow.socket->Send(packet);
    // Compute each time from the start: a sum of rounded intervals would drift.
    ++flow.burst;
    const auto bits = static_cast<double>(flow.burst * m_parameters.packetBytes * 8);
    const auto next =
        flow.since + ns3::Seconds(bits / static_cast<double>(m_parameters.rate.GetBitRate()));
    if (next < flow.until)
    {
        ns3::Simulator::Schedule(next - now, [this, &flow] { Send(flow); });
    }
}

void
Realtime::Receive(ns3::Ptr<ns3::Socket> socket)
{
    while (const auto packet = socket->Recv())
    {
        RealtimeStamp stamp{};
        packet->CopyData(reinterpret_cast<uint8_t*>(&stamp), sizeof stamp);
        auto& flow = *m_flows.at(stamp.flow);
        const auto delay = ns3::Simulator::Now() - ns3::NanoSeconds(stamp.sent);
        ++flow.received;
        flow.late += delay > m_parameters.bound ? 1 : 0;
        flow.delays += delay.GetSeconds();
        flow.longest = std::max(flow.longest, delay);
        if (delay <= m_parameters.bound)
        {
            // Keep the order of sending, in which old packets are forgotten: a link may reorder.
            auto& times = Recent(flow.justReceived);
            times.insert(std::upper_bound(times.begin(), times.end(), stamp.sent), stamp.sent);
        }
    }
}

std::deque<int64_t>&
Realtime::Recent(std::deque<int64_t>& times) const
{
    const auto oldest = (ns3::Simulator::Now() - m_parameters.bound).GetNanoSeconds();
    while (!times.empty() && times.front() < oldest)
    {
        times.pop_front();
    }
    return times;
}

void
Realtime::EndAll()
{
    for (auto& flow : m_flows)
    {
        Recent(flow->justSent);
        Recent(flow->justReceived);
        flow->socket = nullptr;
    }
    m_receivers.clear();
}

void
Realtime::WriteKind(JsonWriter& json) const
{
    json.Member("rate_bps", m_parameters.rate.GetBitRate())
        .Member("packet_bytes", m_parameters.packetBytes)
        .Member("bound_s", m_parameters.bound.GetSeconds());
    json.Key("flows").BeginArray();
    for (const auto& each : m_flows)
    {
        const auto& flow = *each;
        // It is not known whether the last packets arrive in time, unless they have arrived.
        const auto sent = flow.sent - flow.justSent.size();
        const auto received = flow.received - flow.justReceived.size();
        const auto count = static_cast<double>(flow.received);
        json.BeginObject()
            .Member("from", flow.from.name)
            .Member("to", flow.to.name)
            .Member("sent_packets", flow.sent)
            .Member("received_packets", flow.received)
            .Member("late_packets", flow.late)
            .Member("lost_packets", sent - received)
            .Member("late_share", static_cast<double>(flow.late) / count)
            .Member("missed_share",
                    static_cast<double>(flow.late + sent - received) / static_cast<double>(sent))
            .Member("mean_delay_s", flow.delays / count)
            .Member("longest_delay_s", flow.longest.GetSeconds())
            .EndObject();
    }
    json.EndArray();
}

} // namespace tcpsweep
