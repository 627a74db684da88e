// SPDX-License-Identifier: GPL-2.0-only
#include "network/link-channel.h"

#include <ns3/double.h>
#include <ns3/packet.h>
#include <ns3/point-to-point-net-device.h>
#include <ns3/simulator.h>

#include <algorithm>

namespace tcpsweep
{

NS_OBJECT_ENSURE_REGISTERED(LinkChannel);

ns3::TypeId
LinkChannel::GetTypeId()
{
    static const ns3::TypeId tid = ns3::TypeId("tcpsweep::LinkChannel")
                                       .SetParent<ns3::PointToPointChannel>()
                                       .AddConstructor<LinkChannel>();
    return tid;
}

std::size_t
LinkChannel::IndexOf(ns3::Ptr<ns3::PointToPointNetDevice> source) const
{
    return source == GetPointToPointDevice(0) ? 0 : 1;
}

void
LinkChannel::SetDelay(ns3::Ptr<ns3::PointToPointNetDevice> source, ns3::Time delay)
{
    for (auto& path : m_paths)
    {
        path.delay = path.delay.value_or(GetDelay());
    }
    m_paths[IndexOf(source)].delay = delay;
    // The base class adds the attribute to the time argument, which must not be negative.
    SetAttribute("Delay", ns3::TimeValue(std::min(*m_paths[0].delay, *m_paths[1].delay)));
}

void
LinkChannel::SetJitter(ns3::Ptr<ns3::PointToPointNetDevice> source, ns3::Time most, int64_t stream)
{
    const auto jitter = ns3::CreateObject<ns3::UniformRandomVariable>();
    jitter->SetAttribute("Max", ns3::DoubleValue(most.GetSeconds()));
    jitter->SetStream(stream);
    m_paths[IndexOf(source)].jitter = jitter;
}

void
LinkChannel::SetReordering(ns3::Ptr<ns3::PointToPointNetDevice> source,
                           double share,
                           ns3::Time least,
                           ns3::Time most,
                           int64_t stream)
{
    auto& path = m_paths[IndexOf(source)];
    path.lateShare = share;
    path.least = least;
    path.latest = most;
    path.lateDraws = ns3::CreateObject<ns3::UniformRandomVariable>();
    path.lateDraws->SetStream(stream);
}

uint64_t
LinkChannel::CountLate(ns3::Ptr<ns3::PointToPointNetDevice> source) const
{
    return m_paths[IndexOf(source)].late;
}

bool
LinkChannel::TransmitStart(ns3::Ptr<const ns3::Packet> packet,
                           ns3::Ptr<ns3::PointToPointNetDevice> source,
                           ns3::Time txTime)
{
    auto& path = m_paths[IndexOf(source)];
    const ns3::Time now = ns3::Simulator::Now();
    ns3::Time arrival = now + txTime + path.delay.value_or(GetDelay());
    if (path.jitter)
    {
        arrival += ns3::Seconds(path.jitter->GetValue());
    }
    arrival = path.lastArrival = std::max(path.lastArrival, arrival);
    if (path.lateDraws)
    {
        // Draw twice for each packet, so that the same packets are late whatever the others do.
        const bool isLate = path.lateDraws->GetValue() < path.lateShare;
        const double part = path.lateDraws->GetValue();
        if (isLate)
        {
            ++path.late;
            arrival += path.least + ns3::Seconds(part * (path.latest - path.least).GetSeconds());
        }
    }
    return PointToPointChannel::TransmitStart(packet, source, arrival - now - GetDelay());
}

} // namespace tcpsweep
