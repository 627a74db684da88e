// SPDX-License-Identifier: GPL-2.0-only
#include "bandwidth-estimator.h"

#include <ns3/boolean.h>
#include <ns3/data-rate.h>
#include <ns3/double.h>
#include <ns3/tcp-congestion-ops.h>
#include <ns3/traced-value.h>

#include <algorithm>
#include <cmath>

namespace ns3
{

/**
 * TCP Adaptive Reno.
 *
 * Shimonishi and Murase, Improving Efficiency-Friendliness Tradeoffs of TCP Congestion Control
 * Algorithm, GLOBECOM 2005. The window W is the sum of Reno's, W_base, and of a second one,
 * W_probe, which grows fast while the path is free and gives way as it fills up. All windows are in
 * segments.
 *
 * - At loss event j, RTT_cong = a RTT_cong + (1 - a) RTT_j, with a = 0 while RTT_cong < RTT_min.
 * - The congestion level is c = (RTT - RTT_min) / (RTT_cong - RTT_min), held to [0, 1]; 0 before
 *   the first loss, and while the divisor is below MinCongestionDelay (not in the paper: without
 *   queues, noise would be divided by noise). RTT is the last sample.
 * - W_inc(c) = W_max / e^(alpha c) + beta c + gamma, where W_max = B / M,
 *   beta = 2 W_max (1 / alpha - (1 / alpha + 1) / e^alpha), and
 *   gamma = 1 - 2 W_max (1 / alpha - (1 / alpha + 1/2) / e^alpha): so that W_inc(1) = 1, as Reno,
 *   and its integral over [0, 1] is 1.
 * - For an ACK in congestion avoidance, W_base grows by 1 / W, W_probe by W_inc / W, but not below
 *   0. (As in ns-3's TcpNewReno, a delayed ACK is one ACK.) In slow start, which is TcpNewReno's,
 *   W_base = W and W_probe = 0.
 * - After a loss, W_base = W / (1 + c) and W_probe = 0; after a timeout, W_base = ssthresh as
 *   congestion avoidance begins.
 *
 * B is Westwood's estimate of the bandwidth, or Westwood+'s; see BandwidthEstimator.
 */
class TcpAdaptiveReno : public TcpNewReno
{
  public:
    /// @return the type's id
    static TypeId GetTypeId();

    std::string GetName() const override;
    void Init(Ptr<TcpSocketState> tcb) override;
    void PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override;
    uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight) override;
    void CongestionStateSet(Ptr<TcpSocketState> tcb,
                            const TcpSocketState::TcpCongState_t newState) override;
    Ptr<TcpCongestionOps> Fork() override;

  protected:
    uint32_t SlowStart(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked) override;
    void CongestionAvoidance(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked) override;

  private:
    /**
     * @param tcb the socket's state
     * @return W, in segments
     */
    double Window(Ptr<const TcpSocketState> tcb) const;

    /**
     * @param rtt a round trip
     * @return the congestion level c
     */
    double CongestionLevel(Time rtt) const;

    /**
     * @param c the congestion level
     * @return W_inc, in segments
     */
    double WindowIncrement(double c);

    double m_a = 0.85;                           //!< weight of earlier loss events
    double m_alpha = 10;                         //!< how fast W_inc decreases
    DataRate m_m;                                //!< rate M, the unit of W_max
    Time m_minCongestionDelay;                   //!< least RTT_cong - RTT_min to compute c from
    bool m_perRtt = false;                       //!< whether B is Westwood+'s
    tcpsweep::BandwidthEstimator m_estimator;    //!< B and RTT_min
    double m_congestionRtt = 0;                  //!< RTT_cong, in seconds
    bool m_timedOut = false;                     //!< whether the last loss event was a timeout
    TracedValue<double> m_estimatedBandwidth{0}; //!< B, in bit/s
    TracedValue<double> m_base{0};               //!< W_base, in segments
    TracedValue<double> m_probe{0};              //!< W_probe, in segments
    TracedValue<double> m_level{0};              //!< c, as last used
    TracedValue<double> m_increment{0};          //!< W_inc, as last used
};

NS_OBJECT_ENSURE_REGISTERED(TcpAdaptiveReno);

TypeId
TcpAdaptiveReno::GetTypeId()
{
    static const TypeId tid =
        TypeId("ns3::TcpAdaptiveReno")
            .SetParent<TcpNewReno>()
            .SetGroupName("Internet")
            .AddConstructor<TcpAdaptiveReno>()
            .AddAttribute("SmoothingFactor",
                          "Weight a of earlier loss events in RTT_cong",
                          DoubleValue(0.85),
                          MakeDoubleAccessor(&TcpAdaptiveReno::m_a),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Alpha",
                          "How fast the window's increment falls as the congestion level rises",
                          DoubleValue(10),
                          MakeDoubleAccessor(&TcpAdaptiveReno::m_alpha),
                          MakeDoubleChecker<double>(0.001))
            .AddAttribute("ScalingRate",
                          "Rate M for each multiple of which the increment is a segment more",
                          DataRateValue(DataRate("10Mbps")),
                          MakeDataRateAccessor(&TcpAdaptiveReno::m_m),
                          MakeDataRateChecker())
            .AddAttribute("MinCongestionDelay",
                          "RTT_cong - RTT_min below which the congestion level is 0",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&TcpAdaptiveReno::m_minCongestionDelay),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("SamplePerRtt",
                          "Whether bandwidth is sampled each round trip, as in Westwood+, and not "
                          "at each ACK, as in Westwood",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TcpAdaptiveReno::m_perRtt),
                          MakeBooleanChecker())
            .AddTraceSource("EstimatedBW",
                            "Estimated bandwidth B, in bit/s",
                            MakeTraceSourceAccessor(&TcpAdaptiveReno::m_estimatedBandwidth),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("BaseWindow",
                            "W_base, in segments",
                            MakeTraceSourceAccessor(&TcpAdaptiveReno::m_base),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("ProbeWindow",
                            "W_probe, in segments",
                            MakeTraceSourceAccessor(&TcpAdaptiveReno::m_probe),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("CongestionLevel",
                            "Congestion level c, as last used",
                            MakeTraceSourceAccessor(&TcpAdaptiveReno::m_level),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("WindowIncrement",
                            "W_inc, in segments, as last used",
                            MakeTraceSourceAccessor(&TcpAdaptiveReno::m_increment),
                            "ns3::TracedValueCallback::Double");
    return tid;
}

std::string
TcpAdaptiveReno::GetName() const
{
    return "TcpAdaptiveReno";
}

void
TcpAdaptiveReno::Init(Ptr<TcpSocketState>)
{
    using tcpsweep::BandwidthEstimator;
    m_estimator.Configure(m_perRtt ? BandwidthEstimator::PER_RTT : BandwidthEstimator::PER_ACK,
                          true);
}

void
TcpAdaptiveReno::PktsAcked(Ptr<TcpSocketState> tcb, uint32_t, const Time&)
{
    m_estimator.Acked(tcb);
    m_estimatedBandwidth = m_estimator.GetBandwidth();
}

double
TcpAdaptiveReno::Window(Ptr<const TcpSocketState> tcb) const
{
    // Before the first ACK, the window is the socket's initial window.
    return m_base.Get() > 0 ? m_base.Get() + m_probe.Get()
                            : tcb->m_cWnd.Get() / static_cast<double>(tcb->m_segmentSize);
}

double
TcpAdaptiveReno::CongestionLevel(Time rtt) const
{
    const double minRtt = m_estimator.GetMinRtt().GetSeconds();
    const double span = m_congestionRtt - minRtt;
    if (span < m_minCongestionDelay.GetSeconds())
    {
        return 0;
    }
    return std::clamp((rtt.GetSeconds() - minRtt) / span, 0.0, 1.0);
}

double
TcpAdaptiveReno::WindowIncrement(double c)
{
    const double most = m_estimator.GetBandwidth() / m_m.GetBitRate();
    const double decay = std::exp(-m_alpha);
    const double beta = 2 * most * (1 / m_alpha - (1 / m_alpha + 1) * decay);
    const double gamma = 1 - 2 * most * (1 / m_alpha - (1 / m_alpha + 0.5) * decay);
    return most * std::exp(-m_alpha * c) + beta * c + gamma;
}

uint32_t
TcpAdaptiveReno::SlowStart(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked)
{
    const uint32_t left = TcpNewReno::SlowStart(tcb, segmentsAcked);
    m_base = tcb->m_cWnd.Get() / static_cast<double>(tcb->m_segmentSize);
    m_probe = 0;
    return left;
}

void
TcpAdaptiveReno::CongestionAvoidance(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked)
{
    if (segmentsAcked == 0)
    {
        return;
    }
    if (m_timedOut)
    {
        m_timedOut = false;
        m_base = tcb->m_ssThresh.Get() / static_cast<double>(tcb->m_segmentSize);
        m_probe = 0;
    }
    m_level = CongestionLevel(tcb->m_lastRtt.Get());
    m_increment = WindowIncrement(m_level);
    const double window = Window(tcb);
    m_base = window - m_probe.Get() + 1 / window;
    m_probe = std::max(m_probe.Get() + m_increment.Get() / window, 0.0);
    tcb->m_cWnd = static_cast<uint32_t>(Window(tcb) * tcb->m_segmentSize);
}

uint32_t
TcpAdaptiveReno::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t)
{
    const Time rtt = tcb->m_lastRtt.Get();
    const double a = m_congestionRtt < m_estimator.GetMinRtt().GetSeconds() ? 0 : m_a;
    m_congestionRtt = a * m_congestionRtt + (1 - a) * rtt.GetSeconds();
    m_level = CongestionLevel(rtt);
    m_base = std::max(Window(tcb) / (1 + m_level.Get()), 2.0);
    m_probe = 0;
    return static_cast<uint32_t>(m_base.Get() * tcb->m_segmentSize);
}

void
TcpAdaptiveReno::CongestionStateSet(Ptr<TcpSocketState>,
                                    const TcpSocketState::TcpCongState_t newState)
{
    m_timedOut |= newState == TcpSocketState::CA_LOSS;
}

Ptr<TcpCongestionOps>
TcpAdaptiveReno::Fork()
{
    return CopyObject<TcpAdaptiveReno>(this);
}

} // namespace ns3
