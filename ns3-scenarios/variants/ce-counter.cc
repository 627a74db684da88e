// SPDX-License-Identifier: GPL-2.0-only
#include "ce-counter.h"

#include <ns3/node-list.h>
#include <ns3/node.h>
#include <ns3/object-ptr-container.h>
#include <ns3/simulator.h>
#include <ns3/tag.h>
#include <ns3/tcp-l4-protocol.h>

#include <algorithm>
#include <utility>

namespace tcpsweep
{

namespace
{

/// The counts in a packet.
class CeTag : public ns3::Tag
{
  public:
    /// @return the type's id
    static ns3::TypeId
    GetTypeId()
    {
        static const ns3::TypeId tid =
            ns3::TypeId("tcpsweep::CeTag").SetParent<ns3::Tag>().AddConstructor<CeTag>();
        return tid;
    }

    ns3::TypeId
    GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t
    GetSerializedSize() const override
    {
        return sizeof(counts.packets) + sizeof(counts.bytes);
    }

    void
    Serialize(ns3::TagBuffer buffer) const override
    {
        buffer.WriteU32(counts.packets);
        buffer.WriteU32(counts.bytes);
    }

    void
    Deserialize(ns3::TagBuffer buffer) override
    {
        counts.packets = buffer.ReadU32();
        counts.bytes = buffer.ReadU32();
    }

    void
    Print(std::ostream& out) const override
    {
        out << "CE packets " << counts.packets << ", bytes " << counts.bytes;
    }

    CeCounter::Counts counts; //!< the counts
};

NS_OBJECT_ENSURE_REGISTERED(CeTag);

/// Names a protected member.
struct SocketState : ns3::TcpSocketBase
{
    /// @return the member with a socket's state
    static ns3::Ptr<ns3::TcpSocketState> ns3::TcpSocketBase::*
    Member()
    {
        return &SocketState::m_tcb;
    }
};

/**
 * @param tcb a socket's state
 * @return the socket, which is on the node whose event is running; null if there is none
 */
ns3::Ptr<ns3::TcpSocketBase>
SocketOf(ns3::Ptr<const ns3::TcpSocketState> tcb)
{
    const uint32_t context = ns3::Simulator::GetContext();
    if (context >= ns3::NodeList::GetNNodes())
    {
        return nullptr; // driven without a network
    }
    ns3::ObjectPtrContainerValue sockets;
    ns3::NodeList::GetNode(context)->GetObject<ns3::TcpL4Protocol>()->GetAttribute("SocketList",
                                                                                   sockets);
    for (auto each = sockets.Begin(); each != sockets.End(); ++each)
    {
        const auto socket = ns3::DynamicCast<ns3::TcpSocketBase>(each->second);
        if (socket && ns3::PeekPointer(socket)->*SocketState::Member() == tcb)
        {
            return socket;
        }
    }
    return nullptr;
}

} // namespace

CeCounter::CeCounter(const CeCounter&)
{
}

void
CeCounter::Follow(ns3::Ptr<const ns3::TcpSocketState> tcb)
{
    const auto socket = m_follows ? nullptr : SocketOf(tcb);
    if (socket)
    {
        m_follows = true;
        socket->TraceConnectWithoutContext("Rx", ns3::MakeCallback(&CeCounter::Receive, this));
        socket->TraceConnectWithoutContext("Tx", ns3::MakeCallback(&CeCounter::Send, this));
    }
}

void
CeCounter::Mark()
{
    m_isMarked = true;
}

CeCounter::Counts
CeCounter::Reported() const
{
    return m_reported;
}

void
CeCounter::Receive(ns3::Ptr<const ns3::Packet> packet,
                   const ns3::TcpHeader&,
                   ns3::Ptr<const ns3::TcpSocketBase>)
{
    if (std::exchange(m_isMarked, false))
    {
        ++m_counted.packets;
        m_counted.bytes += packet->GetSize();
    }
    CeTag tag;
    if (packet->PeekPacketTag(tag))
    {
        // A packet that was overtaken has older counts.
        m_reported.packets = std::max(m_reported.packets, tag.counts.packets);
        m_reported.bytes = std::max(m_reported.bytes, tag.counts.bytes);
    }
}

void
CeCounter::Send(ns3::Ptr<const ns3::Packet> packet,
                const ns3::TcpHeader&,
                ns3::Ptr<const ns3::TcpSocketBase>)
{
    CeTag tag;
    tag.counts = m_counted;
    packet->AddPacketTag(tag);
}

} // namespace tcpsweep
