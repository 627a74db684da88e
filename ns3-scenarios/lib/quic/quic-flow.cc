// SPDX-License-Identifier: GPL-2.0-only
#include "quic/quic-flow.h"

#include "network/internet.h"
#include "network/streams.h"
#include "traces/flow-tag.h"

#include <ns3/random-variable-stream.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <limits>

namespace tcpsweep
{

namespace
{

/// The bytes that the application offers at a time, as long as the stack takes them all.
constexpr uint64_t OFFER_BYTES = 1 << 20;

/**
 * @param flow a flow's index
 * @param isServer whether it is for its receiver
 * @return a seed of the run
 */
uint64_t
SeedOf(uint32_t flow, bool isServer)
{
    const auto draw = ns3::CreateObject<ns3::UniformRandomVariable>();
    draw->SetStream(StreamOf(Draw::CONGESTION_CONTROL, flow));
    const auto half = [&draw]
    {
        return uint64_t{draw->GetInteger(0, std::numeric_limits<uint32_t>::max())};
    };
    const uint64_t seed = half() << 32 | half();
    return isServer ? ~seed : seed;
}

} // namespace

QuicFlow::QuicFlow(const Parameters& parameters,
                   const QuicStacks& stacks,
                   bool ecn,
                   OutputFiles& files)
    : Flow(parameters),
      m_sendTrace(files, parameters.index, parameters.ends.sender),
      m_deliveryTrace(files, parameters.index, parameters.ends.receiver),
      m_trace(files, parameters.index),
      m_receivedRows(files.Trace("received_bytes")),
      m_sender(
          EndOf(stacks, ecn, false),
          [this] { Send(); },
          [this](uint32_t bytes) { Sent(bytes); }),
      m_receiver(EndOf(stacks, ecn, true), [this] { Receive(); }, [](uint32_t) {})
{
    CountPackets();
    if (parameters.NeverBegins())
    {
        return;
    }
    // FlowMonitor starts with the simulation, by an event that was scheduled later. A second event
    // follows it.
    ns3::Simulator::Schedule(parameters.start,
                             [this] { ns3::Simulator::ScheduleNow(&QuicFlow::Start, this); });
    if (parameters.stop.IsStrictlyPositive())
    {
        ns3::Simulator::Schedule(parameters.stop, &QuicFlow::Leave, this);
    }
}

QuicEnd::Parameters
QuicFlow::EndOf(const QuicStacks& stacks, bool ecn, bool isServer) const
{
    const auto variant = *QuicVariantOf(m_parameters.variant);
    const auto& ends = m_parameters.ends;
    const auto flow = m_parameters.index;
    const auto& node = isServer ? ends.receiver : ends.sender;
    const auto& other = isServer ? ends.sender : ends.receiver;
    const auto port = isServer ? m_parameters.destinationPort : m_parameters.sourcePort;
    const auto otherPort = isServer ? m_parameters.sourcePort : m_parameters.destinationPort;
    return {&stacks.Find(variant),
            variant.control,
            SeedOf(flow, isServer),
            m_parameters.socketBufferBytes,
            stacks.DatagramBytes(m_parameters.segmentBytes),
            isServer,
            ecn,
            isServer ? AcksOf(flow) : static_cast<int32_t>(flow),
            node,
            AnyAddressOf(node, port),
            SocketAddressOf(other, otherPort)};
}

void
QuicFlow::Start()
{
    m_receiver.Open();
    m_sender.Open();
    if (m_parameters.packetRate > 0)
    {
        Offer();
    }
}

void
QuicFlow::Offer()
{
    ++m_offered;
    m_sender.Settle();
    if (m_parameters.bytes == 0 || m_offered * m_parameters.segmentBytes < m_parameters.bytes)
    {
        const auto next = m_parameters.start +
                          ns3::Seconds(static_cast<double>(m_offered) / m_parameters.packetRate);
        ns3::Simulator::Schedule(next - ns3::Simulator::Now(), &QuicFlow::Offer, this);
    }
}

void
QuicFlow::Sent(uint32_t bytes)
{
    m_sendTrace.CountDatagram(bytes);
    if (m_established)
    {
        m_trace.Follow(m_sender.State());
    }
}

void
QuicFlow::Send()
{
    const auto state = m_sender.State();
    if (state.is_established && !m_established)
    {
        m_established = ns3::Simulator::Now();
    }
    if (m_established)
    {
        m_trace.Follow(state);
    }
    const uint64_t limit =
        m_parameters.bytes ? m_parameters.bytes : std::numeric_limits<uint64_t>::max();
    const uint64_t until = m_parameters.packetRate > 0
                               ? std::min(limit, m_offered * m_parameters.segmentBytes)
                               : limit;
    while (m_established && !m_isDone && m_written < until)
    {
        const auto size = std::min(until - m_written, OFFER_BYTES);
        const bool isLast = m_written + size == limit;
        const auto taken = m_sender.Write(size, isLast);
        m_written += taken;
        m_isDone = isLast && taken == size;
        if (taken < size) // its buffer is full
        {
            break;
        }
    }
}

void
QuicFlow::Receive()
{
    const auto arrived = m_receiver.Read();
    if (arrived == 0)
    {
        return;
    }
    m_received += arrived;
    AddRow(m_receivedRows, static_cast<int32_t>(m_parameters.index), m_received);
    if (m_parameters.bytes && m_received >= m_parameters.bytes && !m_finish)
    {
        m_finish = ns3::Simulator::Now();
        m_sendTrace.WriteSent();
    }
}

void
QuicFlow::Leave()
{
    m_sender.Silence();
    m_receiver.Silence();
    m_sendTrace.Leave();
}

void
QuicFlow::WriteMore(JsonWriter& json) const
{
    json.Member("protocol", std::string("udp")).Key("quic");
    if (!m_sender.IsOpen())
    {
        json.Null();
        return;
    }
    const auto state = m_sender.State();
    json.BeginObject()
        .Member("is_lost", state.is_lost)
        .Member("lost_packets", state.lost_packets)
        .Member("lost_bytes", state.lost_bytes)
        .Member("congestion_events", state.congestion_events)
        .EndObject();
}

} // namespace tcpsweep
