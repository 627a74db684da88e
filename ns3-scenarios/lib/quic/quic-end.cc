// SPDX-License-Identifier: GPL-2.0-only
#include "quic/quic-end.h"

#include "traces/flow-tag.h"

#include <ns3/packet.h>
#include <ns3/simulator.h>
#include <ns3/udp-socket-factory.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tcpsweep
{

namespace
{

/// The ECN bits of the TOS byte (RFC 3168, 5).
constexpr uint32_t QUIC_ECN_BITS = 3;
/// More than any datagram's payload.
constexpr std::size_t DATAGRAM_CAPACITY = 1 << 16;

/// @return now, for the stack
uint64_t
NowForStack()
{
    return static_cast<uint64_t>(ns3::Simulator::Now().GetNanoSeconds());
}

} // namespace

QuicEnd::QuicEnd(Parameters parameters,
                 std::function<void()> act,
                 std::function<void(uint32_t bytes)> sent)
    : m_parameters(std::move(parameters)),
      m_act(std::move(act)),
      m_sent(std::move(sent)),
      m_buffer(DATAGRAM_CAPACITY)
{
    m_socket = ns3::Socket::CreateSocket(m_parameters.node, ns3::UdpSocketFactory::GetTypeId());
    m_socket->Bind(m_parameters.local);
    m_socket->Connect(m_parameters.remote);
    m_socket->SetRecvCallback(ns3::MakeCallback(&QuicEnd::Receive, this));
    m_socket->SetIpRecvTos(m_parameters.ecn);
    m_socket->SetIpv6RecvTclass(m_parameters.ecn);
}

QuicEnd::~QuicEnd()
{
    m_timer.Cancel();
    if (m_end)
    {
        m_parameters.stack->close(m_end);
    }
}

void
QuicEnd::Open()
{
    const quic_settings settings{m_parameters.seed,
                                 m_parameters.control.c_str(),
                                 m_parameters.windowBytes,
                                 m_parameters.datagramBytes,
                                 m_parameters.isServer};
    m_end = m_parameters.stack->open(&settings, NowForStack());
    if (!m_end)
    {
        throw std::runtime_error(std::string(m_parameters.stack->name) + " opens no connection");
    }
    Settle();
}

void
QuicEnd::Silence()
{
    m_isSilent = true;
    m_timer.Cancel();
}

void
QuicEnd::Settle()
{
    if (m_isSilent || !m_end)
    {
        return;
    }
    m_act();
    Transmit();
    const auto next = m_parameters.stack->next_timer(m_end);
    if (next == m_expires && !m_timer.IsExpired())
    {
        return;
    }
    m_timer.Cancel();
    m_expires = next;
    // The stack's own word for never, or beyond any simulation.
    if (next < static_cast<uint64_t>(ns3::Time::Max().GetNanoSeconds()))
    {
        const auto wait = static_cast<int64_t>(std::max(next, NowForStack()) - NowForStack());
        m_timer = ns3::Simulator::Schedule(ns3::NanoSeconds(wait), &QuicEnd::Expire, this);
    }
}

uint64_t
QuicEnd::Write(uint64_t bytes, bool isLast)
{
    return m_parameters.stack->write(m_end, bytes, isLast);
}

uint64_t
QuicEnd::Read()
{
    return m_parameters.stack->read(m_end);
}

quic_state
QuicEnd::State() const
{
    quic_state state{};
    m_parameters.stack->state(m_end, &state);
    return state;
}

void
QuicEnd::Receive(ns3::Ptr<ns3::Socket> socket)
{
    while (const auto packet = socket->Recv())
    {
        if (m_isSilent || !m_end)
        {
            continue;
        }
        ns3::SocketIpTosTag tos;
        ns3::SocketIpv6TclassTag tclass;
        uint32_t ecn = 0;
        if (m_parameters.ecn)
        {
            ecn = packet->PeekPacketTag(tos)      ? tos.GetTos() & QUIC_ECN_BITS
                  : packet->PeekPacketTag(tclass) ? tclass.GetTclass() & QUIC_ECN_BITS
                                                  : 0;
        }
        const auto size =
            packet->CopyData(m_buffer.data(), static_cast<uint32_t>(DATAGRAM_CAPACITY));
        m_parameters.stack->receive(m_end, NowForStack(), m_buffer.data(), size, ecn);
    }
    Settle();
}

void
QuicEnd::Transmit()
{
    uint32_t ecn = 0;
    while (const auto size = m_parameters.stack->transmit(m_end,
                                                          NowForStack(),
                                                          m_buffer.data(),
                                                          m_buffer.size(),
                                                          &ecn))
    {
        const auto bytes = static_cast<uint32_t>(size);
        const auto packet = ns3::Create<ns3::Packet>(m_buffer.data(), bytes);
        packet->AddPacketTag(FlowTag(m_parameters.tag, ns3::Simulator::Now()));
        if (m_parameters.ecn)
        {
            m_socket->SetIpTos(static_cast<uint8_t>(ecn & QUIC_ECN_BITS));
            m_socket->SetIpv6Tclass(static_cast<int>(ecn & QUIC_ECN_BITS));
        }
        m_sent(bytes);
        m_socket->Send(packet);
    }
}

void
QuicEnd::Expire()
{
    m_parameters.stack->on_timer(m_end, NowForStack());
    Settle();
}

} // namespace tcpsweep
