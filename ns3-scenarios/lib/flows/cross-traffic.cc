// SPDX-License-Identifier: GPL-2.0-only
#include "flows/cross-traffic.h"

#include "network/internet.h"
#include "options/values.h"

#include <ns3/onoff-application.h>
#include <ns3/packet-sink.h>
#include <ns3/string.h>
#include <ns3/udp-socket-factory.h>
#include <ns3/uinteger.h>

namespace tcpsweep
{

namespace
{

/// The receiver's port of the first flow; the others, which may have the same receiver, follow.
constexpr uint16_t FIRST_CROSS_TRAFFIC_PORT = 6000;
/// The largest MTU without IPv4's and UDP's headers.
constexpr uint64_t LARGEST_PACKET_BYTES = 9000 - 20 - 8;

} // namespace

CbrParameters
CbrParameters::FromOptions(const Options& options, uint32_t mostBytes)
{
    const auto count =
        options.As("cbr_flows", [](const std::string& text) { return ParseCount(text, 0, 1000); });
    // The default size does not matter without flows.
    const uint64_t most = count > 0 ? mostBytes : LARGEST_PACKET_BYTES;
    const CbrParameters p{static_cast<uint32_t>(count),
                          options.As("cbr_rate", ParseRate),
                          static_cast<uint32_t>(options.As("cbr_packet_size",
                                                           [most](const std::string& text)
                                                           { return ParseCount(text, 1, most); })),
                          options.As("cbr_start", ParseTime),
                          options.As("cbr_stop", ParseTime)};
    if (p.stop.IsStrictlyPositive() && p.stop <= p.start)
    {
        throw UsageError("cbr_stop", "must come after cbr_start, or be 0s for never");
    }
    return p;
}

CrossTraffic::CrossTraffic(const CbrParameters& parameters, const std::vector<FlowEnds>& ends)
    : m_parameters(parameters)
{
    if (parameters.count == 0)
    {
        return;
    }
    const auto protocol = ns3::TypeIdValue(ns3::UdpSocketFactory::GetTypeId());
    const ns3::Time interval = parameters.rate.CalculateBytesTxTime(parameters.packetBytes);
    for (uint32_t i = 0; i < parameters.count; ++i)
    {
        m_flows.push_back({ends[i],
                           static_cast<uint16_t>(FIRST_CROSS_TRAFFIC_PORT + i),
                           parameters.start +
                               ns3::NanoSeconds(interval.GetNanoSeconds() * i / parameters.count)});
        const Flow& flow = m_flows.back();

        const auto source = ns3::CreateObject<ns3::OnOffApplication>();
        const auto remote = SocketAddressOf(flow.ends.receiver, flow.destinationPort);
        source->SetAttribute("Protocol", protocol);
        source->SetAttribute("Remote", ns3::AddressValue(remote));
        source->SetAttribute("DataRate", ns3::DataRateValue(parameters.rate));
        source->SetAttribute("PacketSize", ns3::UintegerValue(parameters.packetBytes));
        source->SetAttribute("OnTime",
                             ns3::StringValue("ns3::ConstantRandomVariable[Constant=1e9]"));
        source->SetAttribute("OffTime",
                             ns3::StringValue("ns3::ConstantRandomVariable[Constant=0]"));
        source->SetStartTime(flow.start);
        if (parameters.stop.IsStrictlyPositive())
        {
            source->SetStopTime(parameters.stop);
        }
        source->TraceConnectWithoutContext("Tx", ns3::MakeCallback(&CrossTraffic::Sent, this, i));
        flow.ends.sender->AddApplication(source);

        const auto sink = ns3::CreateObject<ns3::PacketSink>();
        const auto local = AnyAddressOf(flow.ends.receiver, flow.destinationPort);
        sink->SetAttribute("Protocol", protocol);
        sink->SetAttribute("Local", ns3::AddressValue(local));
        sink->TraceConnectWithoutContext("Rx", ns3::MakeCallback(&CrossTraffic::Received, this, i));
        flow.ends.receiver->AddApplication(sink);
    }
}

void
CrossTraffic::Sent(uint32_t i, ns3::Ptr<const ns3::Packet>)
{
    ++m_flows[i].sentPackets;
}

void
CrossTraffic::Received(uint32_t i, ns3::Ptr<const ns3::Packet>, const ns3::Address&)
{
    ++m_flows[i].receivedPackets;
}

void
CrossTraffic::Write(JsonWriter& json) const
{
    json.BeginArray();
    for (const auto& flow : m_flows)
    {
        json.BeginObject()
            .Member("destination_port", uint64_t{flow.destinationPort})
            .Member("start_s", flow.start.GetSeconds())
            .Member("sent_packets", flow.sentPackets)
            .Member("received_packets", flow.receivedPackets)
            .Member("packet_bytes", m_parameters.packetBytes);
        flow.ends.Write(json);
        json.EndObject();
    }
    json.EndArray();
}

} // namespace tcpsweep
