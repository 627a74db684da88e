// SPDX-License-Identifier: GPL-2.0-only
#include "flows/packet-source.h"

#include <ns3/callback.h>
#include <ns3/packet.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <limits>

namespace tcpsweep
{

NS_OBJECT_ENSURE_REGISTERED(PacketSource);

PacketSource::PacketSource(const Parameters& parameters)
    : m_parameters(parameters)
{
}

ns3::TypeId
PacketSource::GetTypeId()
{
    static const ns3::TypeId tid =
        ns3::TypeId("tcpsweep::PacketSource").SetParent<ns3::Application>();
    return tid;
}

void
PacketSource::DoDispose()
{
    m_next.Cancel();
    m_socket = nullptr;
    ns3::Application::DoDispose();
}

void
PacketSource::StartApplication()
{
    m_start = ns3::Simulator::Now();
    m_socket = ns3::Socket::CreateSocket(GetNode(), m_parameters.protocol);
    m_socket->SetConnectCallback(ns3::MakeCallback(&PacketSource::Connected, this),
                                 ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>>());
    m_socket->Bind(m_parameters.local);
    m_socket->Connect(m_parameters.remote);
    m_socket->ShutdownRecv();
    Offer();
}

void
PacketSource::Offer()
{
    const uint64_t left =
        m_parameters.bytes ? m_parameters.bytes - m_offered : std::numeric_limits<uint64_t>::max();
    m_offered += std::min<uint64_t>(m_parameters.packetBytes, left);
    ++m_packets;
    if (left > m_parameters.packetBytes)
    {
        // Count from the start each time: a sum of rounded intervals would drift.
        const auto time =
            m_start + ns3::Seconds(static_cast<double>(m_packets) / m_parameters.rate);
        m_next = ns3::Simulator::Schedule(time - ns3::Simulator::Now(), &PacketSource::Offer, this);
    }
    Write();
}

void
PacketSource::Connected(ns3::Ptr<ns3::Socket>)
{
    m_connected = true;
    // TCP calls this when it has room; also call it now.
    m_socket->SetSendCallback(ns3::Callback<void, ns3::Ptr<ns3::Socket>, uint32_t>(
        [this](ns3::Ptr<ns3::Socket>, uint32_t) { Write(); }));
}

void
PacketSource::Write()
{
    while (m_connected && m_written < m_offered)
    {
        const auto size = std::min<uint64_t>(m_parameters.packetBytes, m_offered - m_written);
        if (m_socket->Send(ns3::Create<ns3::Packet>(static_cast<uint32_t>(size))) < 0)
        {
            return;
        }
        m_written += size;
    }
    if (m_connected && m_written == m_parameters.bytes)
    {
        m_connected = false;
        m_socket->Close();
    }
}

} // namespace tcpsweep
