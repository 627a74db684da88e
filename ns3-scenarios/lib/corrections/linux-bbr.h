// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_LINUX_BBR_H
#define TCPSWEEP_LINUX_BBR_H

#include "corrections/ack-observer.h"
#include "corrections/policer-detection.h"

#include <ns3/data-rate.h>
#include <ns3/nstime.h>
#include <ns3/random-variable-stream.h>
#include <ns3/tcp-bbr.h>
#include <ns3/tcp-rate-ops.h>
#include <ns3/windowed-filter.h>

#include <array>
#include <cstdint>
#include <optional>

namespace tcpsweep
{

/**
 * BBR, version 1, as in Linux 6.12 (net/ipv4/tcp_bbr.c). Cardwell et al., BBR: Congestion-Based
 * Congestion Control, ACM Queue 14(5), 2016; draft-cardwell-iccrg-bbr-congestion-control-00.
 *
 * It is a ns3::TcpBbr, so that its attributes HighGain and Stream hold. What ns-3's does otherwise
 * (tcp-bbr.cc, 3.44):
 * - A burst is one segment, where Linux' is two from 1.2 Mbit/s and a millisecond's data above. So
 *   the window is smaller by three segments or more.
 * - The age of an epoch of ACKs is cut to whole seconds.
 * - After a timeout in the startup, it keeps the bandwidth that the next rounds have to exceed.
 * - The bandwidth filter begins with the initial window over the first round trip, not with zero.
 * - A rate that a policer limits is not detected.
 */
class LinuxBbr : public ns3::TcpBbr, public AckObserver
{
  public:
    /// @return the type's id
    static ns3::TypeId GetTypeId();

    LinuxBbr() = default;

    /// @param sampler the sampler of the socket's delivery rate
    void UseSampler(ns3::Ptr<ns3::TcpRateOps> sampler);

    /// Without it, BBR uses ns-3's round-trip times, which are rounded to milliseconds, and its
    /// loss, which counts the repair of a loss as a loss.
    void Observe(ns3::Time rtt, uint32_t lostBytes) override;

    void CongControl(ns3::Ptr<ns3::TcpSocketState> tcb,
                     const ns3::TcpRateOps::TcpRateConnection& connection,
                     const ns3::TcpRateOps::TcpRateSample& sample) override;
    void CongestionStateSet(ns3::Ptr<ns3::TcpSocketState> tcb,
                            ns3::TcpSocketState::TcpCongState_t state) override;
    void
    CwndEvent(ns3::Ptr<ns3::TcpSocketState> tcb, ns3::TcpSocketState::TcpCAEvent_t event) override;
    uint32_t GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> tcb, uint32_t inFlight) override;
    void SetStream(uint32_t stream) override;
    ns3::Ptr<ns3::TcpCongestionOps> Fork() override;

  private:
    /// The phases of BBR.
    enum class Mode
    {
        STARTUP,
        DRAIN,
        PROBE_BW,
        PROBE_RTT
    };

    using Sample = ns3::TcpRateOps::TcpRateSample;
    using State = ns3::Ptr<ns3::TcpSocketState>;
    /// the highest of the last ten rounds
    using Filter =
        ns3::WindowedFilter<ns3::DataRate, ns3::MaxFilter<ns3::DataRate>, uint32_t, uint32_t>;

    /// Begin a connection.
    void Begin(State tcb);
    /// Count rounds, and filter the bandwidth.
    void UpdateBandwidth(const Sample& sample);
    /// Estimate how many bytes arrive in a bunch.
    void UpdateAggregation(State tcb, const Sample& sample);
    /// Go to the next pacing gain.
    void UpdateCycle(State tcb, const Sample& sample);
    /// End the startup when the bandwidth no longer grows.
    void CheckFullPipe(const Sample& sample);
    /// Drain the queue after the startup.
    void CheckDrain(State tcb);
    /// Update the least round-trip time, and probe for it.
    void UpdateMinRtt(State tcb, const Sample& sample);
    /// End the probe of the round-trip time, if it is time.
    void CheckProbeRttDone(State tcb);
    /// Set the gains of the present mode.
    void UpdateGains();
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
    /// Keep the window, to restore it later.
    void SaveWindow(uint32_t window);
    /// Cycle through the pacing gains, from a random one.
    void ProbeBandwidth();

    /// @return the bandwidth to send at
    ns3::DataRate Bandwidth() const;
    /// @return gain times bandwidth times least round-trip time, in bytes of whole segments
    uint32_t Product(State tcb, ns3::DataRate bandwidth, double gain) const;
    /// @return these bytes, and what bursts and delayed ACKs need in addition
    uint32_t WithBursts(State tcb, uint32_t bytes) const;
    /// @return the bytes in flight that a gain aims at
    uint32_t InFlight(State tcb, double gain) const;
    /// @return bytes that Linux sends in one burst
    uint32_t Burst(State tcb) const;

    ns3::Ptr<ns3::TcpRateOps> m_sampler; //!< the sampler of the delivery rate
    ns3::Ptr<ns3::UniformRandomVariable> m_draw{
        ns3::CreateObject<ns3::UniformRandomVariable>()}; //!< draws the first gain of a cycle
    std::optional<ns3::Time> m_observedRtt;     //!< the round-trip time of the present ACK
    std::optional<uint32_t> m_observedLoss;     //!< bytes newly considered lost
    bool m_hasBegun{false};                     //!< whether the connection has begun
    double m_highGain{2.885};                   //!< the gain of the startup
    Mode m_mode{Mode::STARTUP};                 //!< the present mode
    double m_pacingGain{1};                     //!< pacing rate over bandwidth
    double m_windowGain{1};                     //!< window over bandwidth-delay product
    uint64_t m_delivered{0};                    //!< bytes delivered
    uint64_t m_nextRound{0};                    //!< bytes delivered when the present round began
    uint32_t m_rounds{0};                       //!< rounds
    bool m_isRoundStart{false};                 //!< whether this ACK begins a round
    Filter m_bandwidth{10, ns3::DataRate(), 0}; //!< the bandwidth
    PolicerDetection m_policer;                 //!< a bandwidth that a policer limits
    ns3::Time m_minRtt{ns3::Time::Max()};       //!< the least round-trip time
    ns3::Time m_minRttAt;                       //!< when it was measured
    ns3::Time m_probeRttEnd;       //!< earliest end of its probe, zero if not yet known
    bool m_isProbeRound{false};    //!< whether the probe has lasted a round
    bool m_isIdleRestart{false};   //!< whether sending began anew after a pause
    bool m_hasSeenRtt{false};      //!< whether the pacing rate has a round-trip time
    bool m_isPipeFull{false};      //!< whether the startup filled the pipe
    ns3::DataRate m_fullBandwidth; //!< the bandwidth to exceed in the startup
    uint32_t m_fullRounds{0};      //!< rounds in which it was not exceeded
    uint32_t m_cycle{0};           //!< index of the present pacing gain
    ns3::Time m_cycleAt;           //!< when it began
    uint32_t m_priorWindow{0};     //!< the window to restore
    ns3::TcpSocketState::TcpCongState_t m_previous{
        ns3::TcpSocketState::CA_OPEN}; //!< the state at the last ACK
    bool m_isConservation{false};      //!< whether as much is sent as arrives
    std::array<uint32_t, 2> m_extra{}; //!< bytes that arrived in a bunch, of two windows of rounds
    uint32_t m_extraIndex{0};          //!< index of the present one
    uint32_t m_extraRounds{0};         //!< its age in rounds
    ns3::Time m_epochAt;               //!< when the present epoch of ACKs began
    uint64_t m_epochAcked{0};          //!< bytes that arrived in it
};

} // namespace tcpsweep

#endif // TCPSWEEP_LINUX_BBR_H
