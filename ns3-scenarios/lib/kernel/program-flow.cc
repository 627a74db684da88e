// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/program-flow.h"

#include "network/internet.h"
#include "traces/flow-tag.h"

#include <ns3/ipv4-address.h>
#include <ns3/simulator.h>

#include <array>
#include <cstddef>
#include <utility>

namespace tcpsweep
{

ProgramFlow::ProgramFlow(const Parameters& parameters, OutputFiles& files, Ends programs)
    : Flow(parameters),
      m_programs(std::move(programs)),
      m_receivedRows(files.Trace("received_bytes"))
{
    // All other sinks see the tags, because they are connected later.
    const auto& ends = parameters.ends;
    Tag(ends.sender, ends.receiver, static_cast<int32_t>(parameters.index));
    Tag(ends.receiver, ends.sender, AcksOf(parameters.index));
    m_sendTrace.emplace(files, parameters.index, ends.sender);
    m_deliveryTrace.emplace(files, parameters.index, ends.receiver);
    m_deliveryTrace->WhenNew(
        [this](uint32_t payload)
        {
            m_received += payload;
            AddRow(m_receivedRows, static_cast<int32_t>(m_parameters.index), m_received);
        });
    CountPackets();
    if (parameters.NeverBegins())
    {
        return;
    }
    ns3::Simulator::Schedule(parameters.start, &ProgramFlow::Start, this);
    if (parameters.stop.IsStrictlyPositive())
    {
        ns3::Simulator::Schedule(parameters.stop, &ProgramFlow::Leave, this);
    }
}

void
ProgramFlow::Tag(ns3::Ptr<ns3::Node> from, ns3::Ptr<ns3::Node> to, int32_t flow)
{
    const auto address = ns3::Ipv4Address::ConvertFrom(AddressOf(to));
    from->GetObject<ns3::Ipv4L3Protocol>()->TraceConnectWithoutContext(
        "SendOutgoing",
        PacketsTo<ns3::Ipv4Header>(
            [this, address, flow](const auto& header, const auto& packet, uint32_t)
            {
                const auto protocol = header.GetProtocol();
                if (header.GetDestination() != address ||
                    (protocol != TCP_PROTOCOL && protocol != UDP_PROTOCOL))
                {
                    return;
                }
                packet->AddPacketTag(FlowTag(flow, ns3::Simulator::Now()));
                if (flow >= 0)
                {
                    Sent(protocol, packet);
                }
            }));
}

void
ProgramFlow::Sent(uint8_t protocol, const ns3::Ptr<const ns3::Packet>& packet)
{
    if (protocol == UDP_PROTOCOL)
    {
        m_sendTrace->CountDatagram(packet->GetSize() - UDP_HEADER_BYTES);
        return;
    }
    // The ports, the sequence number, and the header's length (RFC 9293, 3.1).
    std::array<uint8_t, 13> header{};
    packet->CopyData(header.data(), header.size());
    const auto word = [&header](std::size_t at)
    {
        return uint32_t{header[at]} << 24 | uint32_t{header[at + 1]} << 16 |
               uint32_t{header[at + 2]} << 8 | uint32_t{header[at + 3]};
    };
    m_sendTrace->Count(ns3::SequenceNumber32(word(4)),
                       packet->GetSize() - 4 * (header[12] >> 4),
                       word(0));
}

void
ProgramFlow::Start()
{
    for (const auto& program : {m_programs.receiver, m_programs.sender})
    {
        if (program)
        {
            program->Start();
        }
    }
}

void
ProgramFlow::Leave()
{
    for (const auto& program : {m_programs.receiver, m_programs.sender})
    {
        if (program)
        {
            program->Terminate();
            ns3::Simulator::Schedule(ns3::Seconds(1), [program] { program->Kill(); });
        }
    }
}

std::vector<std::string>
ProgramFlow::Unavailable() const
{
    // They need the program's own socket.
    return {"cwnd_bytes",
            "ssthresh_bytes",
            "rtt_s",
            "srtt_s",
            "congestion_state",
            "in_flight_bytes",
            "acked_bytes",
            "timeouts",
            "receiver_limited_s",
            "application_limited_s",
            "send_buffer_limited_s"};
}

void
ProgramFlow::WriteMore(JsonWriter& json) const
{
    json.Key("programs").BeginArray();
    for (const auto& [program, end] :
         {std::pair(m_programs.sender, "sender"), std::pair(m_programs.receiver, "receiver")})
    {
        if (program)
        {
            program->Write(json, end);
        }
    }
    json.EndArray();
}

} // namespace tcpsweep
