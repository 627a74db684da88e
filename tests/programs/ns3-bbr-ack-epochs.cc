// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/core-module.h>
#include <ns3/internet-module.h>

#include <iostream>

/**
 * @file
 * A bug report for ns-3, with ns-3 alone: TcpBbr adds the data of ACKs that arrive together to its
 * window. The program gives it ACKs of one segment each, at 10 Mbit/s in the mean: one each 1.16
 * ms, and then ten each 11.6 ms. It prints the segments that BBR adds to its window in both cases.
 */

using namespace ns3;

namespace
{

/**
 * @param together how many ACKs arrive together
 * @return the segments that BBR adds to its window for ACKs that arrive together
 */
uint32_t
AddedSegments(uint32_t together)
{
    const uint32_t segment = 1448;
    const DataRate rate("10Mbps");
    const auto tcb = CreateObject<TcpSocketState>();
    tcb->m_segmentSize = segment;
    tcb->m_initialCWnd = 10;
    tcb->m_cWnd = 100 * segment;
    tcb->m_bytesInFlight = 50 * segment;
    tcb->m_lastRtt = MilliSeconds(40);
    tcb->m_minRtt = MilliSeconds(40);
    tcb->m_congState = TcpSocketState::CA_OPEN;
    const auto bbr = CreateObject<TcpBbr>();
    bbr->CongestionStateSet(tcb, TcpSocketState::CA_OPEN);

    TcpRateOps::TcpRateConnection connection;
    TcpRateOps::TcpRateSample sample;
    sample.m_deliveryRate = rate;
    sample.m_interval = MilliSeconds(40);
    sample.m_delivered = 35 * segment;
    sample.m_priorInFlight = 50 * segment;
    sample.m_ackedSacked = segment;
    const auto receive = [&]
    {
        for (uint32_t i = 0; i < together; ++i)
        {
            sample.m_priorDelivered = connection.m_delivered;
            connection.m_delivered += segment;
            bbr->CongControl(tcb, connection, sample);
        }
    };
    for (uint32_t i = 0; i < 2000 / together; ++i)
    {
        Simulator::Schedule(rate.CalculateBytesTxTime(segment) * i * together, receive);
    }
    Simulator::Run();
    Simulator::Destroy();
    return bbr->AckAggregationCwnd() / segment;
}

} // namespace

int
main()
{
    std::cout << AddedSegments(1) << ' ' << AddedSegments(10) << '\n';
    return 0;
}
