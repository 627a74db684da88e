// SPDX-License-Identifier: GPL-2.0-only
#include "network/jitter-channel.h"

#include <ns3/double.h>
#include <ns3/packet.h>
#include <ns3/point-to-point-net-device.h>
#include <ns3/simulator.h>

#include <algorithm>

namespace tcpsweep
{

NS_OBJECT_ENSURE_REGISTERED(JitterChannel);

ns3::TypeId
JitterChannel::GetTypeId()
{
    static const ns3::TypeId tid = ns3::TypeId("tcpsweep::JitterChannel")
                                       .SetParent<ns3::PointToPointChannel>()
                                       .AddConstructor<JitterChannel>();
    return tid;
}

void
JitterChannel::SetJitter(ns3::Ptr<ns3::PointToPointNetDevice> source,
                         ns3::Time most,
                         int64_t stream)
{
    m_source = source;
    m_jitter = ns3::CreateObject<ns3::UniformRandomVariable>();
    m_jitter->SetAttribute("Max", ns3::DoubleValue(most.GetSeconds()));
    m_jitter->SetStream(stream);
}

bool
JitterChannel::TransmitStart(ns3::Ptr<const ns3::Packet> packet,
                             ns3::Ptr<ns3::PointToPointNetDevice> source,
                             ns3::Time txTime)
{
    if (m_jitter && source == m_source)
    {
        const ns3::Time now = ns3::Simulator::Now();
        // The propagation delay is the same for all packets, so the end of the transmission stands
        // for the arrival.
        m_lastArrival = std::max(m_lastArrival, now + txTime + ns3::Seconds(m_jitter->GetValue()));
        txTime = m_lastArrival - now;
    }
    return PointToPointChannel::TransmitStart(packet, source, txTime);
}

} // namespace tcpsweep
