// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/reno.h"

#include "corrections/window-limit.h"

#include <algorithm>

namespace tcpsweep
{

NS_OBJECT_ENSURE_REGISTERED(Reno);

namespace
{

constexpr uint32_t LEAST_HALF = 2; //!< segments

} // namespace

ns3::TypeId
Reno::GetTypeId()
{
    static const ns3::TypeId tid =
        ns3::TypeId("tcpsweep::Reno").SetParent<ns3::TcpLinuxReno>().AddConstructor<Reno>();
    return tid;
}

ns3::Ptr<ns3::TcpCongestionOps>
Reno::Fork()
{
    return ns3::CopyObject<Reno>(this);
}

void
Reno::IncreaseWindow(ns3::Ptr<ns3::TcpSocketState> tcb, uint32_t segments)
{
    if (!IsWindowLimited(*tcb, 0))
    {
        return;
    }
    const uint32_t segment = tcb->m_segmentSize;
    if (tcb->m_cWnd < tcb->m_ssThresh)
    {
        const uint32_t window = tcb->m_cWnd;
        const uint32_t grown = std::min(window + segments * segment, tcb->m_ssThresh.Get());
        tcb->m_cWnd = grown;
        segments -= std::min(segments, (grown - window + segment - 1) / segment);
        if (segments == 0)
        {
            return;
        }
    }
    const uint32_t window = std::max(tcb->m_cWnd.Get() / segment, 1U);
    if (m_count >= window)
    {
        m_count = 0;
        tcb->m_cWnd += segment;
    }
    m_count += segments;
    tcb->m_cWnd += m_count / window * segment;
    m_count %= window;
}

uint32_t
Reno::GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> tcb, uint32_t inFlight)
{
    const auto half = TcpLinuxReno::GetSsThresh(tcb, inFlight);
    return std::max(half / tcb->m_segmentSize, LEAST_HALF) * tcb->m_segmentSize;
}

void
Reno::CongestionStateSet(ns3::Ptr<ns3::TcpSocketState>,
                         const ns3::TcpSocketState::TcpCongState_t state)
{
    if (state >= ns3::TcpSocketState::CA_CWR)
    {
        m_count = 0; // as in tcp_init_cwnd_reduction() and tcp_enter_loss()
    }
}

} // namespace tcpsweep
