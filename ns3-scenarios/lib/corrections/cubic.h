// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_CUBIC_H
#define TCPSWEEP_CUBIC_H

#include "corrections/ack-observer.h"
#include "corrections/cubic-curve.h"
#include "corrections/hybrid-slow-start.h"

#include <ns3/nstime.h>
#include <ns3/tcp-cubic.h>

#include <cstdint>
#include <optional>

namespace tcpsweep
{

/**
 * CUBIC as in RFC 9438, with Linux' HyStart. It is a ns3::TcpCubic, so that its attributes hold.
 *
 * Where the RFC leaves a choice, it follows Linux 6.12 (net/ipv4/tcp_cubic.c): a loss reduces the
 * window itself, not the data in flight, and until the first loss the window grows by at least one
 * segment for each `CntClamp` segments that arrive.
 */
class Cubic : public ns3::TcpCubic, public AckObserver
{
  public:
    /// @return the type's id
    static ns3::TypeId GetTypeId();

    Cubic() = default;

    /// Without it, HyStart uses ns-3's round-trip times, which are rounded to milliseconds.
    void Observe(ns3::Time rtt, uint32_t lostBytes, uint32_t inFlightBytes) override;

    void PktsAcked(ns3::Ptr<ns3::TcpSocketState> tcb,
                   uint32_t segments,
                   const ns3::Time& smoothed) override;
    void IncreaseWindow(ns3::Ptr<ns3::TcpSocketState> tcb, uint32_t segments) override;
    uint32_t GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> tcb, uint32_t inFlight) override;
    void CongestionStateSet(ns3::Ptr<ns3::TcpSocketState> tcb,
                            const ns3::TcpSocketState::TcpCongState_t state) override;
    void CwndEvent(ns3::Ptr<ns3::TcpSocketState> tcb,
                   const ns3::TcpSocketState::TcpCAEvent_t event) override;
    void Init(ns3::Ptr<ns3::TcpSocketState> tcb) override;
    ns3::Ptr<ns3::TcpCongestionOps> Fork() override;

  private:
    using State = ns3::Ptr<ns3::TcpSocketState>;

    /// A stage of congestion avoidance.
    struct Stage
    {
        CubicCurve curve;               //!< its window
        std::optional<ns3::Time> begin; //!< when it began, if it has
        double rest{0};                 //!< by how much of a segment the window is larger
    };

    /// Read the attributes.
    void Configure();
    /// @return segments that are left after the window has grown to the threshold
    uint32_t GrowInSlowStart(State tcb, uint32_t segments) const;
    /// Grow in congestion avoidance.
    void Avoid(State tcb, uint32_t segments);

    bool m_isConfigured{false};  //!< whether the attributes are known
    double m_decrease{0.7};      //!< the factor beta
    bool m_converges{true};      //!< whether to leave room for other flows
    bool m_isFriendly{true};     //!< whether the window is at least Reno's
    bool m_hasHyStart{true};     //!< whether HyStart may end slow start
    double m_leastGrowth{0};     //!< segments for each that arrives, until the first loss
    ns3::Time m_quiet;           //!< time after a loss in which round-trip times do not count
    HybridSlowStart m_slowStart; //!< HyStart
    Stage m_stage;               //!< the present stage
    std::optional<Stage> m_undo; //!< the stage before the reduction of the window
    uint32_t m_undoWindow{0};    //!< the window in bytes before it
    ns3::Time m_smoothedRtt;     //!< the smoothed round-trip time
    std::optional<ns3::Time> m_observedRtt; //!< the present round-trip time
    ns3::Time m_lastAck;                    //!< when the last ACK came
};

} // namespace tcpsweep

#endif // TCPSWEEP_CUBIC_H
