// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/core-module.h>
#include <ns3/internet-module.h>

#include <iostream>

/**
 * @file
 * A bug report for ns-3, with ns-3 alone: the count of acknowledged segments of TcpLinuxReno goes
 * on after a loss. A window of 20 segments has 19 acknowledged ones when a loss halves it. The
 * program prints how many more are acknowledged until the window of 10 segments grows.
 */

using namespace ns3;

int
main()
{
    const uint32_t segment = 1448;
    const auto tcb = CreateObject<TcpSocketState>();
    tcb->m_segmentSize = segment;
    tcb->m_cWnd = 20 * segment;
    tcb->m_ssThresh = 10 * segment;
    tcb->m_isCwndLimited = true;
    const auto reno = CreateObject<TcpLinuxReno>();
    reno->IncreaseWindow(tcb, 19);
    tcb->m_ssThresh = reno->GetSsThresh(tcb, tcb->m_cWnd);
    reno->CongestionStateSet(tcb, TcpSocketState::CA_RECOVERY);
    tcb->m_cWnd = tcb->m_ssThresh.Get();
    reno->CongestionStateSet(tcb, TcpSocketState::CA_OPEN);
    uint32_t acknowledged = 0;
    while (tcb->m_cWnd == tcb->m_ssThresh)
    {
        reno->IncreaseWindow(tcb, 1);
        ++acknowledged;
    }
    std::cout << acknowledged << '\n';
    return 0;
}
