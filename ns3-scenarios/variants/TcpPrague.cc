// SPDX-License-Identifier: GPL-2.0-only
#include "ce-counter.h"
#include "corrections/window-limit.h"

#include <ns3/boolean.h>
#include <ns3/data-rate.h>
#include <ns3/double.h>
#include <ns3/nstime.h>
#include <ns3/simulator.h>
#include <ns3/tcp-congestion-ops.h>
#include <ns3/traced-value.h>
#include <ns3/uinteger.h>

#include <algorithm>

namespace ns3
{

/**
 * Prague: K. De Schepper, O. Tilmans, B. Briscoe, V. Goel, "Prague Congestion Control",
 * draft-briscoe-iccrg-prague-congestion-control. Comments name its headings. What the draft leaves
 * open is as in the authors' Linux, net/ipv4/tcp_prague.c of github.com/L4STeam/linux, with its
 * default heuristic for round trips, "rate".
 *
 * The feedback of marks is CeCounter's. The receiver sends no ECE, so ns-3's own states for ECN
 * stay idle, and losses are recovered as if there was no ECN.
 */
class TcpPrague : public TcpCongestionOps
{
  public:
    /// @return the type's id
    static TypeId GetTypeId();

    std::string GetName() const override;
    void Init(Ptr<TcpSocketState> tcb) override;
    uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight) override;
    void CongestionStateSet(Ptr<TcpSocketState> tcb,
                            const TcpSocketState::TcpCongState_t newState) override;
    void CwndEvent(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCAEvent_t event) override;
    bool HasCongControl() const override;
    void CongControl(Ptr<TcpSocketState> tcb,
                     const TcpRateOps::TcpRateConnection& connection,
                     const TcpRateOps::TcpRateSample& sample) override;
    void IncreaseWindow(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked) override;
    Ptr<TcpCongestionOps> Fork() override;

  private:
    /// An ACK. @param acked the bytes that newly arrived @param marked those of them with CE
    void Acknowledge(Ptr<TcpSocketState> tcb, double acked, double marked);
    /// Let the window grow by bytes that arrived without a mark.
    void Increase(Ptr<const TcpSocketState> tcb, double bytes);
    /// End a round if one has passed, and update alpha.
    void EndRound(Ptr<const TcpSocketState> tcb);
    /// Set the socket's window and pacing rate.
    void Apply(Ptr<TcpSocketState> tcb) const;
    /// @return whether the rate should depend less on the round trip
    bool IsIndependent() const;
    /// @return the round trip that the rate should have, at least the real one
    Time VirtualRtt(Ptr<const TcpSocketState> tcb) const;

    double m_gain;             //!< g
    Time m_reference;          //!< the reference round trip
    uint32_t m_transition;     //!< rounds after the first slow start with the real round trip
    bool m_useEct1;            //!< whether packets have ECT(1)
    tcpsweep::CeCounter m_ce;  //!< feedback of marks
    double m_window = 0;       //!< the window in bytes, zero before the first ACK
    double m_threshold = 0;    //!< the slow start threshold in bytes
    bool m_isLoss = false;     //!< whether a loss is being repaired
    bool m_sawMark = false;    //!< whether there was a mark yet
    double m_ackedBytes = 0;   //!< bytes that arrived in this round
    double m_markedBytes = 0;  //!< those of them with a mark
    uint32_t m_rounds = 0;     //!< rounds since the first slow start
    SequenceNumber32 m_end{0}; //!< the round ends when this is acknowledged
    Time m_updated;            //!< time of the last update of alpha
    Time m_reduced;            //!< time of the last reduction for a mark
    SequenceNumber32 m_reductionEnd{
        0};                          //!< no further reduction for marks before this is acknowledged
    TracedValue<double> m_alpha = 1; //!< alpha
    TracedValue<double> m_seen = 0;  //!< marked bytes, as far as the receiver has reported
};

NS_OBJECT_ENSURE_REGISTERED(TcpPrague);

namespace
{

/// The least window, in segments, as in tcp_prague.c.
constexpr uint32_t MIN_WINDOW = 2;

/// @return the smoothed round trip
template <typename T>
auto
SmoothedRtt(const T& tcb, int) -> decltype(tcb.m_srtt.Get())
{
    return tcb.m_srtt.Get();
}

/// In older versions, ns-3 has it under the name of the last round trip.
template <typename T>
Time
SmoothedRtt(const T& tcb, long)
{
    return tcb.m_lastRtt.Get();
}

} // namespace

TypeId
TcpPrague::GetTypeId()
{
    static const TypeId tid =
        TypeId("ns3::TcpPrague")
            .SetParent<TcpCongestionOps>()
            .SetGroupName("Internet")
            .AddConstructor<TcpPrague>()
            .AddAttribute("Gain",
                          "Gain g of the moving average alpha of marks",
                          DoubleValue(1.0 / 16),
                          MakeDoubleAccessor(&TcpPrague::m_gain),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute(
                "ReferenceRtt",
                "Flows with shorter round trips get the rate of this one; 0s for the real "
                "round trip",
                TimeValue(MilliSeconds(25)),
                MakeTimeAccessor(&TcpPrague::m_reference),
                MakeTimeChecker(Time(0)))
            .AddAttribute("RttTransition",
                          "Rounds after the first slow start before ReferenceRtt is used, 500 in "
                          "tcp_prague.c",
                          UintegerValue(500),
                          MakeUintegerAccessor(&TcpPrague::m_transition),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("UseEct1",
                          "Whether packets have ECT(1); otherwise ECT(0), for private networks",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TcpPrague::m_useEct1),
                          MakeBooleanChecker())
            .AddTraceSource("Alpha",
                            "Moving average of the fraction of marked bytes",
                            MakeTraceSourceAccessor(&TcpPrague::m_alpha),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("MarkedBytes",
                            "Bytes with CE that the receiver has reported",
                            MakeTraceSourceAccessor(&TcpPrague::m_seen),
                            "ns3::TracedValueCallback::Double");
    return tid;
}

std::string
TcpPrague::GetName() const
{
    return "TcpPrague";
}

void
TcpPrague::Init(Ptr<TcpSocketState> tcb)
{
    // All packets can be marked, also without payload: "Packet Identification". ns-3 has this in
    // its mode for DCTCP.
    tcb->m_useEcn = TcpSocketState::On;
    tcb->m_ecnMode = TcpSocketState::DctcpEcn;
    tcb->m_ectCodePoint = m_useEct1 ? TcpSocketState::Ect1 : TcpSocketState::Ect0;
    tcb->m_pacing = true; // "Packet Pacing"
}

bool
TcpPrague::HasCongControl() const
{
    return true;
}

void
TcpPrague::IncreaseWindow(Ptr<TcpSocketState>, uint32_t)
{
    // CongControl() does it.
}

void
TcpPrague::CwndEvent(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCAEvent_t event)
{
    const bool isMarked = event == TcpSocketState::CA_EVENT_ECN_IS_CE;
    if (!isMarked && event != TcpSocketState::CA_EVENT_ECN_NO_CE)
    {
        return;
    }
    m_ce.Follow(tcb);
    if (isMarked)
    {
        m_ce.Mark();
        tcb->m_ecnState = TcpSocketState::ECN_IDLE; // no ECE
    }
}

void
TcpPrague::CongControl(Ptr<TcpSocketState> tcb,
                       const TcpRateOps::TcpRateConnection&,
                       const TcpRateOps::TcpRateSample& sample)
{
    m_ce.Follow(tcb);
    const double marked = m_ce.Reported().bytes - m_seen.Get();
    m_seen += marked;
    Acknowledge(tcb, sample.m_ackedSacked, marked);
}

void
TcpPrague::Acknowledge(Ptr<TcpSocketState> tcb, double acked, double marked)
{
    if (m_window == 0)
    {
        m_window = tcb->m_cWnd.Get();
        m_threshold = tcb->m_ssThresh.Get();
    }
    m_ackedBytes += acked;
    m_markedBytes += marked;
    m_sawMark |= marked > 0;
    if (tcpsweep::IsWindowLimited(*tcb, 0))
    {
        // "Additive Increase and ECN Feedback": also while reductions are suppressed.
        Increase(tcb, std::max(acked - marked, 0.0));
    }
    const bool isRecent = m_reduced.IsStrictlyPositive() && IsIndependent() &&
                          Simulator::Now() - m_reduced < VirtualRtt(tcb);
    if (marked > 0 && !m_isLoss && !isRecent && tcb->m_lastAckedSeq >= m_reductionEnd)
    {
        // "Multiplicative Decrease on ECN Feedback", once in a round.
        m_window *= 1 - m_alpha.Get() / 2;
        m_threshold = m_window;
        m_reduced = Simulator::Now();
        m_reductionEnd = tcb->m_highTxMark;
    }
    EndRound(tcb);
    Apply(tcb);
}

void
TcpPrague::Increase(Ptr<const TcpSocketState> tcb, double bytes)
{
    if (m_window < m_threshold)
    {
        m_window += bytes;
    }
    else if (!m_isLoss)
    {
        // "Reduced RTT Dependence": one segment for each virtual round trip, at the virtual rate.
        const double ratio = SmoothedRtt(*tcb, 0).GetSeconds() / VirtualRtt(tcb).GetSeconds();
        const double scale = IsIndependent() ? ratio * ratio : 1;
        m_window += scale * bytes * tcb->m_segmentSize / m_window;
    }
}

void
TcpPrague::EndRound(Ptr<const TcpSocketState> tcb)
{
    const bool isEarly = IsIndependent() && Simulator::Now() - m_updated < VirtualRtt(tcb);
    if (tcb->m_lastAckedSeq < m_end || isEarly)
    {
        return;
    }
    // "Moving Average of ECN Feedback". Until the first mark, alpha stays 1, as in tcp_prague.c.
    if (m_sawMark && m_ackedBytes > 0)
    {
        m_alpha += m_gain * (std::min(m_markedBytes / m_ackedBytes, 1.0) - m_alpha.Get());
        m_updated = Simulator::Now();
    }
    m_ackedBytes = 0;
    m_markedBytes = 0;
    m_end = tcb->m_highTxMark;
    m_rounds += m_window < m_threshold ? 0 : 1;
}

void
TcpPrague::Apply(Ptr<TcpSocketState> tcb) const
{
    const double least = MIN_WINDOW * tcb->m_segmentSize;
    if (tcb->m_congState != TcpSocketState::CA_LOSS)
    {
        tcb->m_ssThresh = static_cast<uint32_t>(std::min(m_threshold, 4294967295.0));
    }
    tcb->m_cWnd = static_cast<uint32_t>(std::max(m_window, m_isLoss ? 0 : least));
    tcb->m_cWndInfl = tcb->m_cWnd;
    const double rtt = SmoothedRtt(*tcb, 0).GetSeconds();
    if (rtt > 0)
    {
        // "Packet Pacing".
        const double rate = 8 * tcb->m_cWnd.Get() / rtt * (m_window < m_threshold / 2 ? 2 : 1);
        tcb->m_pacingRate = std::min(DataRate(static_cast<uint64_t>(rate)), tcb->m_maxPacingRate);
    }
}

bool
TcpPrague::IsIndependent() const
{
    return m_rounds >= m_transition;
}

Time
TcpPrague::VirtualRtt(Ptr<const TcpSocketState> tcb) const
{
    return std::max(SmoothedRtt(*tcb, 0), m_reference);
}

uint32_t
TcpPrague::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t)
{
    // "Fall-Back on Loss": as Reno. When ns-3 asks in a recovery, the window is reduced already.
    if (tcb->m_congState == TcpSocketState::CA_RECOVERY)
    {
        return static_cast<uint32_t>(m_threshold);
    }
    return std::max(tcb->m_cWnd.Get() / 2, MIN_WINDOW * tcb->m_segmentSize);
}

void
TcpPrague::CongestionStateSet(Ptr<TcpSocketState> tcb,
                              const TcpSocketState::TcpCongState_t newState)
{
    const bool isTimeout = newState == TcpSocketState::CA_LOSS;
    if (newState == TcpSocketState::CA_RECOVERY || isTimeout)
    {
        // At a timeout, ns-3 has asked for the threshold already.
        m_threshold = isTimeout ? tcb->m_ssThresh.Get() : GetSsThresh(tcb, 0);
        m_window = isTimeout ? tcb->m_segmentSize : m_threshold;
        tcb->m_cWnd = static_cast<uint32_t>(m_window);
    }
    m_isLoss = m_isLoss || newState == TcpSocketState::CA_RECOVERY || isTimeout;
    m_isLoss = m_isLoss && newState != TcpSocketState::CA_OPEN;
}

Ptr<TcpCongestionOps>
TcpPrague::Fork()
{
    return CopyObject<TcpPrague>(this);
}

} // namespace ns3
