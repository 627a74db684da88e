// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_BBR_MODEL_H
#define TCPSWEEP_BBR_MODEL_H

#include "corrections/ack-aggregation.h"
#include "corrections/bbr-gains.h"
#include "corrections/policer-detection.h"

#include <ns3/data-rate.h>
#include <ns3/nstime.h>
#include <ns3/random-variable-stream.h>
#include <ns3/tcp-bbr.h>
#include <ns3/tcp-rate-ops.h>
#include <ns3/windowed-filter.h>

#include <cstdint>
#include <optional>

namespace tcpsweep
{

/// What BBR knows of the network, and its modes; LinuxBbr sets the pacing rate and the window.
class BbrModel : public ns3::TcpBbr
{
  protected:
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

    static constexpr uint32_t LEAST_WINDOW = 4; //!< segments

    /// Count rounds, and filter the bandwidth.
    void UpdateBandwidth(const Sample& sample);
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
    /**
     * @param tcb the connection
     * @param inFlight bytes in flight now
     * @return bytes in flight when pacing allows the next burst (bbr_packets_in_net_at_edt() in
     * Linux)
     */
    uint32_t InFlightAtNextBurst(State tcb, uint32_t inFlight) const;
    /// @return bytes that Linux sends in one burst
    uint32_t Burst(State tcb) const;

    ns3::Ptr<ns3::TcpRateOps> m_sampler; //!< the sampler of the delivery rate
    ns3::Ptr<ns3::UniformRandomVariable> m_draw{
        ns3::CreateObject<ns3::UniformRandomVariable>()}; //!< draws the first gain of a cycle
    ns3::Time m_pacedUntil;                               //!< when pacing allows the next burst
    std::optional<ns3::Time> m_observedRtt; //!< the round-trip time of the present ACK
    double m_highGain{2.885};               //!< the gain of the startup
    ns3::Ptr<const BbrGains> m_gains{ns3::CreateObject<BbrGains>()}; //!< the other gains
    Mode m_mode{Mode::STARTUP};                                      //!< the present mode
    double m_pacingGain{1};                                          //!< pacing rate over bandwidth
    double m_windowGain{1};                     //!< window over bandwidth-delay product
    uint64_t m_delivered{0};                    //!< bytes delivered
    uint64_t m_nextRound{0};                    //!< bytes delivered when the present round began
    uint32_t m_rounds{0};                       //!< rounds
    bool m_isRoundStart{false};                 //!< whether this ACK begins a round
    Filter m_bandwidth{10, ns3::DataRate(), 0}; //!< the bandwidth
    uint64_t m_lost{0};                         //!< bytes considered lost until now
    PolicerDetection m_policer;                 //!< a bandwidth that a policer limits
    ns3::Time m_minRtt{ns3::Time::Max()};       //!< the least round-trip time
    ns3::Time m_minRttAt;                       //!< when it was measured
    ns3::Time m_probeRttEnd;       //!< earliest end of its probe, zero if not yet known
    bool m_isProbeRound{false};    //!< whether the probe has lasted a round
    bool m_isIdleRestart{false};   //!< whether sending began anew after a pause
    bool m_isPipeFull{false};      //!< whether the startup filled the pipe
    ns3::DataRate m_fullBandwidth; //!< the bandwidth to exceed in the startup
    uint32_t m_fullRounds{0};      //!< rounds in which it was not exceeded
    uint32_t m_cycle{0};           //!< index of the present pacing gain
    ns3::Time m_cycleAt;           //!< when it began
    uint32_t m_priorWindow{0};     //!< the window to restore
    ns3::TcpSocketState::TcpCongState_t m_previous{
        ns3::TcpSocketState::CA_OPEN}; //!< the state at the last ACK
    bool m_isConservation{false};      //!< whether as much is sent as arrives
};

} // namespace tcpsweep

#endif // TCPSWEEP_BBR_MODEL_H
