// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/bbr-gains.h"

#include <ns3/double.h>

namespace tcpsweep
{

NS_OBJECT_ENSURE_REGISTERED(BbrGains);

ns3::TypeId
BbrGains::GetTypeId()
{
    static const ns3::TypeId tid =
        ns3::TypeId("ns3::TcpBbrGains")
            .SetParent<ns3::Object>()
            .AddConstructor<BbrGains>()
            .AddAttribute("UpPacingGain",
                          "Pacing gain of the first phase of ProbeBW; bbr_pacing_gain in tcp_bbr.c",
                          ns3::DoubleValue(1.25),
                          ns3::MakeDoubleAccessor(&BbrGains::m_up),
                          ns3::MakeDoubleChecker<double>(1, 100))
            .AddAttribute("DownPacingGain",
                          "Pacing gain of its second phase; bbr_pacing_gain in tcp_bbr.c",
                          ns3::DoubleValue(0.75),
                          ns3::MakeDoubleAccessor(&BbrGains::m_down),
                          ns3::MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("CwndGain",
                          "Window over bandwidth-delay product in ProbeBW; bbr_cwnd_gain",
                          ns3::DoubleValue(2),
                          ns3::MakeDoubleAccessor(&BbrGains::m_window),
                          ns3::MakeDoubleChecker<double>(0.01, 100))
            .AddAttribute("DrainPacingGain",
                          "Pacing gain of Drain, bbr_drain_gain; 0 for 1 / TcpBbr::HighGain",
                          ns3::DoubleValue(0),
                          ns3::MakeDoubleAccessor(&BbrGains::m_drain),
                          ns3::MakeDoubleChecker<double>(0, 1));
    return tid;
}

double
BbrGains::Pacing(uint32_t cycle) const
{
    switch (cycle)
    {
    case 0:
        return m_up;
    case 1:
        return m_down;
    default:
        return 1;
    }
}

} // namespace tcpsweep
