// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_LINUX_BBR_H
#define TCPSWEEP_LINUX_BBR_H

#include "corrections/ack-observer.h"
#include "corrections/bbr-model.h"

#include <ns3/nstime.h>
#include <ns3/tcp-rate-ops.h>

#include <cstdint>
#include <optional>

namespace tcpsweep
{

/**
 * BBR, version 1, as in Linux 6.12 (net/ipv4/tcp_bbr.c). Cardwell et al., BBR: Congestion-Based
 * Congestion Control, ACM Queue 14(5), 2016; draft-cardwell-iccrg-bbr-congestion-control-00.
 *
 * It is a ns3::TcpBbr, so that its attributes HighGain and Stream hold; BbrGains has more gains.
 * What ns-3's does otherwise (tcp-bbr.cc, 3.44):
 * - A burst is one segment, where Linux' is two from 1.2 Mbit/s and a millisecond's data above. So
 *   the window is smaller by three segments or more.
 * - The age of an epoch of ACKs is cut to whole seconds.
 * - After a timeout in the startup, it keeps the bandwidth that the next rounds have to exceed.
 * - The bandwidth filter begins with the initial window over the first round trip, not with zero.
 * - A rate that a policer limits is not detected.
 * - A recovery that was not necessary is not undone.
 */
class LinuxBbr : public BbrModel, public AckObserver
{
  public:
    /// @return the type's id
    static ns3::TypeId GetTypeId();

    LinuxBbr() = default;

    void UseSampler(ns3::Ptr<ns3::TcpRateOps> sampler) override;

    /// Without it, BBR uses ns-3's round-trip times, which are rounded to milliseconds, and its
    /// loss, which counts the repair of a loss as a loss.
    void Observe(ns3::Time rtt, uint32_t lostBytes, uint32_t inFlightBytes) override;

    /// Counts for the rate of a policer, also if no ACK shows the loss.
    void
    ObserveLoss(ns3::SequenceNumber32 begin, ns3::SequenceNumber32 end, ns3::Time sent) override;

    void CongControl(ns3::Ptr<ns3::TcpSocketState> tcb,
                     const ns3::TcpRateOps::TcpRateConnection& connection,
                     const ns3::TcpRateOps::TcpRateSample& sample) override;
    void CongestionStateSet(ns3::Ptr<ns3::TcpSocketState> tcb,
                            ns3::TcpSocketState::TcpCongState_t state) override;
    void
    CwndEvent(ns3::Ptr<ns3::TcpSocketState> tcb, ns3::TcpSocketState::TcpCAEvent_t event) override;
    uint32_t GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> tcb, uint32_t inFlight) override;
    bool CanUndo() const override;
    void Undo() override;
    /// @param until when pacing allows the next burst
    void ObservePacing(ns3::Time until);
    void SetStream(uint32_t stream) override;
    ns3::Ptr<ns3::TcpCongestionOps> Fork() override;

  private:
    /// Begin a connection.
    void Begin(State tcb);
    /// Set the pacing rate from the bandwidth.
    void UpdatePacing(State tcb, double gain);
    /// Set the first pacing rate, from the initial window and the round-trip time.
    void BeginPacing(State tcb);
    /// Set the window.
    void UpdateWindow(State tcb, const Sample& sample);
    /**
     * Set the window in and after a recovery.
     *
     * @return whether this is all there is to do
     */
    bool UpdateWindowOfRecovery(State tcb, const Sample& sample);

    std::optional<uint32_t> m_observedLoss;     //!< bytes newly considered lost
    std::optional<uint32_t> m_observedInFlight; //!< bytes in flight before the ACK lets any be sent
    bool m_hasBegun{false};                     //!< whether the connection has begun
    bool m_hasSeenRtt{false};                   //!< whether the pacing rate has a round-trip time
    AckAggregation m_aggregation;               //!< bytes that arrive in a bunch
};

} // namespace tcpsweep

#endif // TCPSWEEP_LINUX_BBR_H
