// SPDX-License-Identifier: GPL-2.0-only
#include "bandwidth-estimator.h"

#include <ns3/boolean.h>
#include <ns3/double.h>
#include <ns3/tcp-congestion-ops.h>
#include <ns3/traced-value.h>

#include <algorithm>
#include <optional>

namespace ns3
{

/**
 * TCP Westwood.
 *
 * Mascolo, Casetti, Gerla, Sanadidi and Wang, TCP Westwood: Bandwidth Estimation for Enhanced
 * Transport over Wireless Links, MobiCom 2001. The window grows as NewReno's. After three duplicate
 * ACKs, and after a timeout, ssthresh is not half of what is in flight, but what the path has been
 * seen to carry (section 3 of the paper):
 *
 *     ssthresh = max(2, B * RTT_min / segment size),
 *
 * and the window is the smaller of itself and ssthresh, or after a timeout one segment. B is the
 * filtered rate at which ACKs report data; see BandwidthEstimator.
 *
 * ns-3 had a TcpWestwood up to 3.37, whose bandwidth estimate was wrong (its issues 410 and 579).
 * Its mistakes, and the corrections here:
 *
 * - Bytes of duplicate ACKs were counted again with the ACK that ended the recovery, as one sample
 * of a whole window. Here they are counted once (AckedCount, section 2.3).
 * - Its filter had a constant gain of 0.9 for any time between ACKs, which may even be 0.
 *   Here the gain depends on that time (section 2.2). Early versions divided what one ACK reports
 *   by the round trip.
 * - It had no virtual samples of 0, so the estimate never decayed while nothing arrived. Here there
 *   are such samples (section 2.2).
 * - RTT_min was the smallest smoothed round trip.
 *
 * As in the paper, B is too large where ACKs come in bunches, as behind a queue that flows share:
 * in the filter, the sample of a short interval is weighted by the long interval after it. Grieco
 * and Mascolo (ACM CCR 34(2), 2004) sample each round trip instead, in Westwood+.
 *
 * Unlike in the paper, ns-3 asks for ssthresh before it reports the third duplicate ACK, which B
 * therefore lacks; and it asks for it at ECN marks too, which count as losses.
 */
class TcpWestwood : public TcpNewReno
{
  public:
    /// @return the type's id
    static TypeId GetTypeId();

    std::string GetName() const override;
    void Init(Ptr<TcpSocketState> tcb) override;
    void PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override;
    uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight) override;
    void IncreaseWindow(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked) override;
    Ptr<TcpCongestionOps> Fork() override;

  private:
    bool m_filtered = true;                      //!< whether samples are filtered
    Time m_tau;                                  //!< the filter's time constant
    double m_samples = 2;                        //!< the least number of samples per time constant
    tcpsweep::BandwidthEstimator m_estimator;    //!< B and RTT_min
    TracedValue<double> m_estimatedBandwidth{0}; //!< B, in bit/s
    std::optional<uint32_t> m_ssThresh;          //!< ssthresh after the recovery
};

NS_OBJECT_ENSURE_REGISTERED(TcpWestwood);

TypeId
TcpWestwood::GetTypeId()
{
    static const TypeId tid =
        TypeId("ns3::TcpWestwood")
            .SetParent<TcpNewReno>()
            .SetGroupName("Internet")
            .AddConstructor<TcpWestwood>()
            .AddAttribute("Filter",
                          "Whether bandwidth samples are filtered; if not, the last one is the "
                          "estimate",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TcpWestwood::m_filtered),
                          MakeBooleanChecker())
            .AddAttribute("FilterTimeConstant",
                          "Time constant tau of the filter of bandwidth samples",
                          TimeValue(MilliSeconds(500)),
                          MakeTimeAccessor(&TcpWestwood::m_tau),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("SamplesPerTimeConstant",
                          "Number m of samples in tau below which samples of 0 are put in",
                          DoubleValue(2),
                          MakeDoubleAccessor(&TcpWestwood::m_samples),
                          MakeDoubleChecker<double>(1))
            .AddTraceSource("EstimatedBW",
                            "Estimated bandwidth B, in bit/s",
                            MakeTraceSourceAccessor(&TcpWestwood::m_estimatedBandwidth),
                            "ns3::TracedValueCallback::Double");
    return tid;
}

std::string
TcpWestwood::GetName() const
{
    return "TcpWestwood";
}

void
TcpWestwood::Init(Ptr<TcpSocketState>)
{
    m_estimator.Configure(tcpsweep::BandwidthEstimator::PER_ACK, m_filtered);
    m_estimator.ConfigureFilter(m_tau, m_samples);
}

void
TcpWestwood::PktsAcked(Ptr<TcpSocketState> tcb, uint32_t, const Time&)
{
    m_estimator.Acked(tcb);
    m_estimatedBandwidth = m_estimator.GetBandwidth();
}

uint32_t
TcpWestwood::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t)
{
    const uint32_t least = 2 * tcb->m_segmentSize;
    m_estimatedBandwidth = m_estimator.GetBandwidth();
    m_ssThresh = std::max(static_cast<uint32_t>(m_estimator.GetPipe()), least);
    // When a recovery ends, ns-3 sets the window to ssthresh, even if that is more than before.
    return std::min(*m_ssThresh, std::max(tcb->m_cWnd.Get(), least));
}

void
TcpWestwood::IncreaseWindow(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked)
{
    if (m_ssThresh)
    {
        tcb->m_ssThresh = *m_ssThresh;
        m_ssThresh.reset();
    }
    TcpNewReno::IncreaseWindow(tcb, segmentsAcked);
}

Ptr<TcpCongestionOps>
TcpWestwood::Fork()
{
    return CopyObject<TcpWestwood>(this);
}

} // namespace ns3
