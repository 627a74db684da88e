// SPDX-License-Identifier: GPL-2.0-only
#include "traffic/connection.h"

#include "flows/flow-parameters.h"
#include "flows/variant-socket-factory.h"
#include "network/internet.h"

#include <ns3/double.h>
#include <ns3/packet.h>
#include <ns3/pointer.h>
#include <ns3/simulator.h>
#include <ns3/string.h>
#include <ns3/tcp-socket-base.h>
#include <ns3/tcp-tx-buffer.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace tcpsweep
{

namespace
{

/**
 * Each write is a packet in the socket's buffer. A few large packets take less memory than a packet
 * per segment, but they have to fit into the buffer's free space.
 *
 * @param socket a socket with an empty buffer
 * @param segmentBytes payload of a full segment
 * @return the most to write at a time: whole segments, a small part of the buffer
 */
uint64_t
LargestWrite(ns3::Ptr<ns3::Socket> socket, uint32_t segmentBytes)
{
    return std::clamp(socket->GetTxAvailable() / segmentBytes / 64, 1U, 64U) * segmentBytes;
}

/**
 * @param socket a socket of TCP
 * @return its buffer of unsent and unacknowledged bytes
 */
ns3::Ptr<ns3::TcpTxBuffer>
BufferOf(ns3::Ptr<ns3::Socket> socket)
{
    return ns3::DynamicCast<ns3::TcpSocketBase>(socket)->GetTxBuffer();
}

} // namespace

Connection::Connection(Connections& owner, Events events)
    : m_owner(owner),
      m_events(std::move(events))
{
}

void
Connection::Send(End end, uint64_t bytes)
{
    HalfOf(end).waiting += bytes;
    Write(end);
}

void
Connection::Close()
{
    HalfOf(End::CLIENT).mayClose = true;
    Write(End::CLIENT);
}

uint64_t
Connection::Unsent() const
{
    const auto& half = HalfOf(End::CLIENT);
    if (!half.socket)
    {
        return half.waiting;
    }
    const auto buffer = BufferOf(half.socket);
    const uint64_t sent = buffer->BytesInFlight() + buffer->GetSacked() + buffer->GetLost();
    return half.waiting + buffer->Size() - std::min<uint64_t>(buffer->Size(), sent);
}

void
Connection::Attach(End end, ns3::Ptr<ns3::Socket> socket)
{
    // A socket may live longer than this object if the other end failed.
    const std::weak_ptr<Connection> self = weak_from_this();
    const auto calling = [self, end](auto act)
    {
        return [self, end, act](ns3::Ptr<ns3::Socket>)
        {
            if (const auto connection = self.lock())
            {
                act(*connection, end);
            }
        };
    };
    using OfSocket = ns3::Callback<void, ns3::Ptr<ns3::Socket>>;
    HalfOf(end).socket = socket;
    socket->SetRecvCallback(OfSocket(calling([](auto& me, End at) { me.Read(at); })));
    socket->SetSendCallback(ns3::Callback<void, ns3::Ptr<ns3::Socket>, uint32_t>(
        [self, end](ns3::Ptr<ns3::Socket>, uint32_t)
        {
            if (const auto connection = self.lock())
            {
                connection->Write(end);
                if (end == End::CLIENT && connection->m_events.room)
                {
                    connection->m_events.room(*connection);
                }
            }
        }));
    socket->SetCloseCallbacks(OfSocket(calling(
                                  [](auto& me, End at)
                                  {
                                      // For the server, this is the client's FIN. The client is
                                      // told when it is closed.
                                      if (at == End::SERVER)
                                      {
                                          me.HalfOf(at).mayClose = true;
                                          me.Write(at);
                                      }
                                  })),
                              OfSocket(calling([](auto& me, End at) { me.Drop(at); })));
    if (end == End::CLIENT)
    {
        socket->SetConnectCallback(OfSocket(calling([](auto& me, End at) { me.Begin(at); })),
                                   OfSocket(calling([](auto& me, End at) { me.Drop(at); })));
    }
    using States = ns3::TcpSocket::TcpStates_t;
    socket->TraceConnectWithoutContext("State",
                                       ns3::Callback<void, States, States>(
                                           [self, end](States, States now)
                                           {
                                               if (const auto connection = self.lock())
                                               {
                                                   connection->HalfOf(end).state = now;
                                                   if (now == ns3::TcpSocket::CLOSED)
                                                   {
                                                       connection->Drop(end);
                                                   }
                                               }
                                           }));
}

void
Connection::Begin(End end)
{
    HalfOf(end).writes = true;
    HalfOf(end).state = ns3::TcpSocket::ESTABLISHED;
    if (end == End::CLIENT)
    {
        m_connected = ns3::Simulator::Now();
        if (m_events.connected)
        {
            m_events.connected(*this);
        }
    }
    Write(end);
}

void
Connection::Write(End end)
{
    auto& half = HalfOf(end);
    if (!half.writes || !half.socket || half.closed)
    {
        return;
    }
    while (half.waiting > 0)
    {
        const auto size = std::min(half.waiting, m_owner.m_writeBytes);
        if (half.socket->Send(ns3::Create<ns3::Packet>(static_cast<uint32_t>(size))) < 0)
        {
            return;
        }
        half.waiting -= size;
    }
    // If ns-3 is asked to close during a retransmission, it may never send a FIN: it sends the FIN
    // only with new bytes, or else at once.
    const auto isTime = [&]
    {
        return BufferOf(half.socket)->Size() == 0 || (end == End::CLIENT && Unsent() > 0);
    };
    if (half.mayClose && isTime())
    {
        half.closed = true;
        // The server's Close() would send a separate acknowledgment in addition to the FIN.
        end == End::CLIENT ? half.socket->Close() : half.socket->ShutdownSend();
    }
}

void
Connection::Read(End end)
{
    auto& half = HalfOf(end);
    if (!half.socket)
    {
        return;
    }
    const auto before = half.received;
    while (const auto packet = half.socket->Recv(std::numeric_limits<uint32_t>::max(), 0))
    {
        if (packet->GetSize() == 0)
        {
            break; // the other end's FIN
        }
        half.received += packet->GetSize();
    }
    if (half.received > before && m_events.received)
    {
        m_events.received(*this, end);
    }
}

void
Connection::Drop(End end)
{
    auto& half = HalfOf(end);
    if (!half.socket)
    {
        return;
    }
    // Its own functions are still running.
    ns3::Simulator::ScheduleNow([socket = half.socket] {});
    half.socket = nullptr;
    const auto other = end == End::CLIENT ? End::SERVER : End::CLIENT;
    // The server has read all of the client's bytes, and the client needs no more.
    const bool closed = HalfOf(End::SERVER).mayClose;
    if (!HalfOf(other).socket)
    {
        Finish(closed);
    }
    else if (!closed || end == End::SERVER)
    {
        Abort(other);
    }
}

void
Connection::Abort(End end)
{
    const auto socket = HalfOf(end).socket;
    switch (HalfOf(end).state)
    {
    case ns3::TcpSocket::SYN_RCVD:
    case ns3::TcpSocket::ESTABLISHED:
    case ns3::TcpSocket::FIN_WAIT_1:
    case ns3::TcpSocket::FIN_WAIT_2:
    case ns3::TcpSocket::CLOSING:
    {
        // Connecting again is the only way to make an ns-3 socket send RST and end.
        ns3::Address peer;
        socket->GetPeerName(peer);
        socket->Connect(peer);
        break;
    }
    default:
        socket->Close();
    }
    if (HalfOf(end).socket)
    {
        // It ends on its own after some retries.
        HalfOf(end).socket = nullptr;
        m_owner.m_orphans.push_back(socket);
        m_leavesSocket = true;
        Finish(HalfOf(End::SERVER).mayClose);
    }
}

void
Connection::Finish(bool closed)
{
    if (m_events.over)
    {
        m_events.over(*this, closed);
    }
    m_owner.Free(*this);
}

Connections::Connections(const Parameters& parameters)
    : m_parameters(parameters)
{
}

Connection&
Connections::Open(ns3::Ptr<ns3::Node> client, ns3::Ptr<ns3::Node> server, Connection::Events events)
{
    const std::shared_ptr<Connection> connection(new Connection(*this, std::move(events)));
    m_open[connection.get()] = connection;
    m_mostOpen = std::max(m_mostOpen, m_open.size());

    auto& listening = Listen(server);
    const auto socket = MakeSocket(client);
    m_writeBytes = LargestWrite(socket, m_parameters.segmentBytes);
    SetStream(socket);
    // The client closes first, and would wait for 240 s with its port.
    socket->SetAttribute("MaxSegLifetime", ns3::DoubleValue(0));
    connection->m_port = Bind(socket, client);
    connection->Attach(End::CLIENT, socket);
    if (socket->Connect(SocketAddressOf(server, m_parameters.port)) != 0)
    {
        throw std::runtime_error("node " + std::to_string(client->GetId()) +
                                 " has no route to node " + std::to_string(server->GetId()));
    }
    ns3::Address name;
    socket->GetSockName(name);
    listening.expected[name] = connection;
    connection->m_forget = [&listening, name]
    {
        listening.expected.erase(name);
    };
    return *connection;
}

void
Connections::Clear()
{
    m_open.clear();
    m_servers.clear();
    m_orphans.clear();
}

ns3::Ptr<ns3::Socket>
Connections::MakeSocket(ns3::Ptr<ns3::Node> node) const
{
    // Both ends get the variant: DCTCP's receiver echoes marks in its own way.
    return ns3::Socket::CreateSocket(
        node,
        VariantSocketFactory::Install(node, m_parameters.variant, m_parameters.segmentBytes));
}

Connections::Server&
Connections::Listen(ns3::Ptr<ns3::Node> node)
{
    auto& server = m_servers[node->GetId()];
    if (server.socket)
    {
        return server;
    }
    server.socket = MakeSocket(node);
    SetStream(server.socket);
    if (server.socket->Bind(AnyAddressOf(node, m_parameters.port)) != 0 ||
        server.socket->Listen() != 0)
    {
        throw std::runtime_error("node " + std::to_string(node->GetId()) +
                                 " cannot listen at port " + std::to_string(m_parameters.port));
    }
    server.socket->SetAcceptCallback(
        ns3::MakeNullCallback<bool, ns3::Ptr<ns3::Socket>, const ns3::Address&>(),
        ns3::Callback<void, ns3::Ptr<ns3::Socket>, const ns3::Address&>(
            [&server](ns3::Ptr<ns3::Socket> socket, const ns3::Address& from)
            {
                const auto found = server.expected.find(from);
                const auto connection =
                    found == server.expected.end() ? nullptr : found->second.lock();
                if (connection)
                {
                    server.expected.erase(found);
                    connection->m_forget = nullptr;
                    connection->Attach(End::SERVER, socket);
                    connection->Begin(End::SERVER);
                }
            }));
    return server;
}

void
Connections::SetStream(ns3::Ptr<ns3::Socket> socket) const
{
    if (m_parameters.stream)
    {
        ns3::PointerValue control;
        socket->GetAttribute("CongestionOps", control);
        control.GetObject()->SetAttribute(STREAM,
                                          ns3::StringValue(std::to_string(m_parameters.stream())));
    }
}

Connection::Port
Connections::Bind(ns3::Ptr<ns3::Socket> socket, ns3::Ptr<ns3::Node> node)
{
    auto& next = m_nextPort[node->GetId()];
    for (uint32_t tried = 0; tried < m_parameters.ports; ++tried)
    {
        const Connection::Port port(node->GetId(), static_cast<uint16_t>(FIRST_CLIENT_PORT + next));
        next = (next + 1) % m_parameters.ports;
        if (!m_ports.count(port) && socket->Bind(AnyAddressOf(node, port.second)) == 0)
        {
            m_ports.insert(port);
            return port;
        }
    }
    throw std::runtime_error("node " + std::to_string(node->GetId()) + " has " +
                             std::to_string(m_parameters.ports) +
                             " connections open, and no port for one more");
}

void
Connections::Free(Connection& connection)
{
    if (connection.m_forget)
    {
        connection.m_forget();
    }
    if (!connection.m_leavesSocket)
    {
        m_ports.erase(connection.m_port);
    }
    m_open.erase(&connection);
}

} // namespace tcpsweep
