// SPDX-License-Identifier: GPL-2.0-only
#include "traces/send-trace.h"

#include "network/internet.h"
#include "traces/flow-tag.h"

#include <ns3/simulator.h>
#include <ns3/tcp-tx-buffer.h>
#include <ns3/uinteger.h>

#include <algorithm>
#include <string>

namespace tcpsweep
{

namespace
{

/// The interval between rows of what was sent. A row for each packet would cost as much as all
/// other traces.
const ns3::Time PERIOD = ns3::MilliSeconds(100);

} // namespace

SendTrace::SendTrace(OutputFiles& files, uint32_t flow, ns3::Ptr<ns3::Node> sender)
    : m_flow(static_cast<int32_t>(flow)),
      m_retransmittedRows(files.Trace("retransmitted_bytes")),
      m_timeoutsRows(files.Trace("timeouts")),
      m_receiverRows(files.Trace("receiver_limited_s")),
      m_applicationRows(files.Trace("application_limited_s")),
      m_bufferRows(files.Trace("send_buffer_limited_s")),
      m_payloadRows(files.Trace("sent_bytes")),
      m_ipRows(files.Trace("ip_sent_bytes")),
      m_packetsRows(files.Trace("sent_packets"))
{
    if (m_payloadRows || m_ipRows || m_packetsRows)
    {
        FollowTransport(sender,
                        "SendOutgoing",
                        [this](const auto&, const auto& packet, uint32_t ipBytes)
                        { Outgoing(packet, ipBytes); });
    }
    if (m_payloadRows || m_ipRows || m_packetsRows || m_receiverRows || m_applicationRows ||
        m_bufferRows)
    {
        ns3::Simulator::Schedule(PERIOD, &SendTrace::Tick, this);
        // The last period ends with the simulation, after which there is no event.
        files.BeforeClose(
            [this]
            {
                Settle();
                WriteSent();
            });
    }
}

template <typename Visit>
void
SendTrace::ForEachTrace(Visit visit)
{
    visit("Tx", ns3::MakeCallback(&SendTrace::Send, this));
    if (m_timeoutsRows)
    {
        visit("RTO", ns3::MakeCallback(&SendTrace::RetransmissionTimeout, this));
    }
    if (m_receiverRows || m_applicationRows || m_bufferRows)
    {
        visit("CongestionWindow", ns3::MakeCallback(&SendTrace::CongestionWindow, this));
        visit("RWND", ns3::MakeCallback(&SendTrace::ReceiveWindow, this));
        visit("BytesInFlight", ns3::MakeCallback(&SendTrace::InFlight, this));
    }
}

void
SendTrace::Follow(ns3::Ptr<ns3::Socket> socket, uint32_t writeBytes)
{
    m_writeBytes = writeBytes;
    m_socket = ns3::DynamicCast<ns3::TcpSocketBase>(socket);
    ns3::UintegerValue segment;
    socket->GetAttribute("SegmentSize", segment);
    m_segmentBytes = static_cast<uint32_t>(segment.Get());
    ForEachTrace([&socket](const std::string& source, const auto& sink)
                 { socket->TraceConnectWithoutContext(source, sink); });
}

void
SendTrace::Leave()
{
    Settle();
    WriteSent();
    if (m_socket)
    {
        ForEachTrace([this](const std::string& source, const auto& sink)
                     { m_socket->TraceDisconnectWithoutContext(source, sink); });
        m_socket = nullptr;
    }
}

void
SendTrace::Send(ns3::Ptr<const ns3::Packet> packet,
                const ns3::TcpHeader& header,
                ns3::Ptr<const ns3::TcpSocketBase>)
{
    Count(header.GetSequenceNumber(), packet->GetSize());
}

void
SendTrace::Count(ns3::SequenceNumber32 begin, uint32_t size, uint32_t connection)
{
    if (size == 0)
    {
        return;
    }
    m_payloadBytes += size;
    auto& sent = m_sent.try_emplace(connection, begin).first->second;
    // Sequence numbers wrap every 4 GiB, their differences do not.
    const int32_t again = sent - begin;
    if (again > 0)
    {
        m_retransmitted += std::min(static_cast<uint32_t>(again), size);
        AddRow(m_retransmittedRows, m_flow, m_retransmitted);
    }
    if (again < static_cast<int32_t>(size))
    {
        sent = begin + size;
    }
}

void
SendTrace::Outgoing(const ns3::Ptr<const ns3::Packet>& packet, uint32_t ipBytes)
{
    if (FlowOf(packet) == m_flow)
    {
        m_ipBytes += ipBytes;
        ++m_packets;
    }
}

void
SendTrace::Tick()
{
    Settle();
    WriteSent();
    ns3::Simulator::Schedule(PERIOD, &SendTrace::Tick, this);
}

void
SendTrace::WriteSent()
{
    if (m_packets == m_writtenPackets)
    {
        return;
    }
    m_writtenPackets = m_packets;
    AddRow(m_payloadRows, m_flow, m_payloadBytes);
    AddRow(m_ipRows, m_flow, m_ipBytes);
    AddRow(m_packetsRows, m_flow, m_packets);
}

void
SendTrace::RetransmissionTimeout(ns3::Time before, ns3::Time now)
{
    // An expired timer is doubled (RFC 6298, 5.5), to at most ns-3's 60 s; a new round trip hardly
    // ever makes it twice what it was.
    if (before.IsStrictlyPositive() && now == 2 * before)
    {
        ++m_timeouts;
        AddRow(m_timeoutsRows, m_flow, m_timeouts);
    }
}

void
SendTrace::CongestionWindow(uint32_t, uint32_t now)
{
    Settle();
    m_cwnd = now;
}

void
SendTrace::ReceiveWindow(uint32_t, uint32_t now)
{
    Settle();
    m_receiveWindow = now;
}

void
SendTrace::InFlight(uint32_t, uint32_t now)
{
    Settle();
    m_inFlight = now;
}

void
SendTrace::Settle()
{
    const auto now = ns3::Simulator::Now();
    const auto span = now - m_since;
    m_since = now;
    if (!m_socket)
    {
        return;
    }
    const auto buffer = m_socket->GetTxBuffer();
    const auto head = m_head;
    m_head = buffer->HeadSequence();
    // If the congestion window has no room for a segment, nothing else limits the sender. The
    // receive window is unknown until the handshake ends.
    if (span.IsZero() || !m_receiveWindow || m_inFlight + m_segmentBytes > m_cwnd)
    {
        return;
    }
    // As in Linux, a sender without unsent data is not limited by the receiver.
    const bool hasSentAll =
        !m_sent.empty() && buffer->SizeFromSequence(m_sent.begin()->second) == 0;
    if (hasSentAll)
    {
        // The application waits with its next write until the buffer has room for all of it.
        const auto heldBytes = static_cast<uint32_t>(m_sent.begin()->second - head);
        const bool wasFull = heldBytes + m_writeBytes > buffer->MaxBufferSize();
        auto& limited = wasFull ? m_buffer : m_application;
        limited += span;
        AddRow(wasFull ? m_bufferRows : m_applicationRows, m_flow, limited);
    }
    else if (m_inFlight + m_segmentBytes > *m_receiveWindow)
    {
        m_receiver += span;
        AddRow(m_receiverRows, m_flow, m_receiver);
    }
}

} // namespace tcpsweep
