// SPDX-License-Identifier: GPL-2.0-only
#include "flows/tcp-flow.h"

#include "flows/flow-parameters.h"
#include "flows/packet-source.h"
#include "flows/variant-socket-factory.h"
#include "flows/wheel-buffers.h"
#include "network/internet.h"

#include <ns3/bulk-send-application.h>
#include <ns3/ipv4.h>
#include <ns3/node.h>
#include <ns3/pointer.h>
#include <ns3/simulator.h>
#include <ns3/string.h>
#include <ns3/uinteger.h>

#include <algorithm>
#include <string>

namespace tcpsweep
{

namespace
{

/**
 * The application keeps the send buffer full, and each write is a packet there: with one write per
 * segment, a thousand flows fill gigabytes. Write whole segments, so that TCP never has to assemble
 * one.
 *
 * @param parameters a flow
 * @return bytes that the application writes at a time: whole segments, a small part of the buffer
 */
uint32_t
WriteBytes(const TcpFlow::Parameters& parameters)
{
    const uint32_t bufferSegments = parameters.socketBufferBytes / parameters.segmentBytes;
    return std::clamp(bufferSegments / 64, 1U, 64U) * parameters.segmentBytes;
}

/**
 * @param parameters a flow
 * @param protocol type of the factory of its sender's socket
 * @param local address that the socket is bound to
 * @param remote address that it connects to
 * @return an application that sends as fast as TCP allows
 */
ns3::Ptr<ns3::BulkSendApplication>
MakeBulkSource(const TcpFlow::Parameters& parameters,
               ns3::TypeId protocol,
               const ns3::Address& local,
               const ns3::Address& remote)
{
    const auto source = ns3::CreateObject<ns3::BulkSendApplication>();
    source->SetAttribute("Protocol", ns3::TypeIdValue(protocol));
    source->SetAttribute("Local", ns3::AddressValue(local));
    source->SetAttribute("Remote", ns3::AddressValue(remote));
    source->SetAttribute("MaxBytes", ns3::UintegerValue(parameters.bytes));
    source->SetAttribute("SendSize", ns3::UintegerValue(WriteBytes(parameters)));
    return source;
}

/**
 * Give a socket's congestion control a random stream, before it draws.
 *
 * @param socket a socket of TCP
 * @param stream the stream's number
 */
void
NumberDraws(ns3::Ptr<ns3::Socket> socket, int64_t stream)
{
    ns3::PointerValue control;
    socket->GetAttribute("CongestionOps", control);
    control.GetObject()->SetAttribute(STREAM, ns3::StringValue(std::to_string(stream)));
}

} // namespace

template <typename Application>
void
TcpFlow::SendBy(ns3::Ptr<Application> source)
{
    m_source = source;
    m_getSocket = [source]
    {
        return source->GetSocket();
    };
}

TcpFlow::TcpFlow(const Parameters& parameters, OutputFiles& files)
    : Flow(parameters),
      m_tagger(parameters.ends.sender, parameters.sourcePort, parameters.index),
      m_socketTrace(files, parameters.index, parameters.bytes),
      m_sendTrace(files, parameters.index, parameters.ends.sender),
      m_deliveryTrace(files, parameters.index, parameters.ends.receiver),
      m_receivedRows(files.Trace("received_bytes"))
{
    CountPackets();
    CountArrivals(m_deliveryTrace, m_receivedRows);
    const auto sockets = [&parameters](ns3::Ptr<ns3::Node> node)
    {
        return VariantSocketFactory::Install(node, parameters.variant, parameters.segmentBytes);
    };
    const auto& [sender, receiver] = std::tie(parameters.ends.sender, parameters.ends.receiver);
    const auto protocol = sockets(sender);
    const auto local = AnyAddressOf(sender, parameters.sourcePort);
    const auto remote = SocketAddressOf(receiver, parameters.destinationPort);
    if (parameters.packetRate > 0)
    {
        SendBy(ns3::CreateObject<PacketSource>(PacketSource::Parameters{protocol,
                                                                        local,
                                                                        remote,
                                                                        parameters.packetRate,
                                                                        parameters.segmentBytes,
                                                                        parameters.bytes}));
    }
    else
    {
        SendBy(MakeBulkSource(parameters, protocol, local, remote));
    }
    const auto sink = ns3::CreateObject<ns3::PacketSink>();
    const auto listening = AnyAddressOf(receiver, parameters.destinationPort);
    // The receiver gets the variant too: DCTCP's echoes marks in its own way; for others it makes
    // no difference.
    sink->SetAttribute("Protocol", ns3::TypeIdValue(sockets(receiver)));
    sink->SetAttribute("Local", ns3::AddressValue(listening));
    sink->TraceConnectWithoutContext("Rx", ns3::MakeCallback(&TcpFlow::Receive, this));
    receiver->AddApplication(sink);
    m_sink = sink;
    if (parameters.hasOwnBuffers || parameters.delayedAcks || parameters.delayedAckTimeout)
    {
        // Behind the sink's start, as for the source below.
        ns3::Simulator::Schedule(ns3::Time(),
                                 [this]
                                 { ns3::Simulator::ScheduleNow(&TcpFlow::SetUpReceiver, this); });
    }

    if (parameters.NeverBegins())
    {
        return;
    }
    m_source->SetStartTime(parameters.start);
    sender->AddApplication(m_source);
    // The application schedules its start when the simulation begins, so it follows this event at
    // the same time; a second event follows that start.
    ns3::Simulator::Schedule(parameters.start,
                             [this] { ns3::Simulator::ScheduleNow(&TcpFlow::Start, this); });
    if (parameters.stop.IsStrictlyPositive())
    {
        ns3::Simulator::Schedule(parameters.stop, &TcpFlow::Leave, this);
    }
}

void
TcpFlow::SetUpReceiver()
{
    const auto socket = m_sink->GetListeningSocket();
    if (m_parameters.hasOwnBuffers)
    {
        const ns3::UintegerValue bytes(m_parameters.socketBufferBytes);
        socket->SetAttribute("RcvBufSize", bytes);
        socket->SetAttribute("SndBufSize", bytes);
    }
    if (m_parameters.delayedAcks)
    {
        socket->SetAttribute("DelAckCount", ns3::UintegerValue(*m_parameters.delayedAcks));
    }
    if (m_parameters.delayedAckTimeout)
    {
        socket->SetAttribute("DelAckTimeout", ns3::TimeValue(*m_parameters.delayedAckTimeout));
    }
}

void
TcpFlow::Start()
{
    const auto socket = m_getSocket();
    if (m_parameters.hasOwnBuffers)
    {
        const ns3::UintegerValue bytes(m_parameters.socketBufferBytes);
        socket->SetAttribute("SndBufSize", bytes);
        socket->SetAttribute("RcvBufSize", bytes);
    }
    if (m_parameters.stream)
    {
        NumberDraws(socket, *m_parameters.stream);
    }
    m_socketTrace.Follow(socket);
    m_sendTrace.Follow(socket,
                       m_parameters.packetRate > 0 ? m_parameters.segmentBytes
                                                   : WriteBytes(m_parameters));
    socket->TraceConnectWithoutContext("State", ns3::MakeCallback(&TcpFlow::ChangeState, this));
}

void
TcpFlow::ChangeState(ns3::TcpSocket::TcpStates_t, ns3::TcpSocket::TcpStates_t now)
{
    if (now == ns3::TcpSocket::ESTABLISHED)
    {
        m_established = ns3::Simulator::Now();
    }
}

void
TcpFlow::Leave()
{
    const auto& sender = m_parameters.ends.sender;
    const auto ipv4 = sender->GetObject<ns3::Ipv4>();
    // Not with IPv6: an interface of ns-3's that is down has no addresses, and ns-3 still looks for
    // them.
    if (ipv4 && !m_parameters.sharesSender)
    {
        ipv4->SetDown(FIRST_LINK);
    }
    else
    {
        SilencePort(sender, m_parameters.sourcePort);
    }
    m_socketTrace.Leave(m_getSocket());
    m_sendTrace.Leave();
}

void
TcpFlow::Receive(ns3::Ptr<const ns3::Packet> packet, const ns3::Address&)
{
    m_received += packet->GetSize();
    if (m_parameters.bytes && m_received >= m_parameters.bytes && !m_finish)
    {
        m_finish = ns3::Simulator::Now();
        m_sendTrace.WriteSent();
    }
}

} // namespace tcpsweep
