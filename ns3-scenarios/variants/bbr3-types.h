// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_BBR3_TYPES_H
#define TCPSWEEP_BBR3_TYPES_H

#include <ns3/nstime.h>

#include <cstdint>
#include <limits>

/**
 * @file
 * The words of draft-ietf-ccwg-bbr-06, section 2. Volumes are in bytes, rates in bytes per second.
 */

namespace tcpsweep::bbr3
{

constexpr double UNLIMITED = std::numeric_limits<double>::infinity(); //!< no bound

/// The states, section 5.1.
enum class State
{
    STARTUP,
    DRAIN,
    PROBE_BW_DOWN,
    PROBE_BW_CRUISE,
    PROBE_BW_REFILL,
    PROBE_BW_UP,
    PROBE_RTT
};

/// What ACKs say of the probe for bandwidth, section 2.14.
enum class AckPhase
{
    INIT,
    REFILLING,
    PROBE_STARTING,
    PROBE_FEEDBACK,
    PROBE_STOPPING
};

/// The constants; the attributes of ns3::TcpBbr3 name their sections and defaults.
struct Constants
{
    double startupPacingGain{};   //!< BBR.StartupPacingGain
    double drainPacingGain{};     //!< BBR.DrainPacingGain
    double downPacingGain{};      //!< of ProbeBW_DOWN
    double upPacingGain{};        //!< of ProbeBW_UP
    double windowGain{};          //!< BBR.DefaultCwndGain
    double upWindowGain{};        //!< of ProbeBW_UP
    double probeRttWindowGain{};  //!< BBR.ProbeRTTCwndGain
    double pacingMargin{};        //!< BBR.PacingMarginPercent, as a fraction
    double lossThreshold{};       //!< BBR.LossThresh
    double beta{};                //!< BBR.Beta
    double headroom{};            //!< BBR.Headroom
    uint32_t leastWindow{};       //!< BBR.MinPipeCwnd, in segments
    uint32_t startupLosses{};     //!< BBRStartupFullLossCnt
    double fullGrowth{};          //!< growth of the rate in a round without which the pipe is full
    uint32_t fullRounds{};        //!< so many rounds without it
    uint32_t extraAckedRounds{};  //!< BBR.ExtraAckedFilterLen
    ns3::Time minRttWindow{};     //!< BBR.MinRTTFilterLen
    ns3::Time probeRttInterval{}; //!< BBR.ProbeRTTInterval
    ns3::Time probeRttDuration{}; //!< BBR.ProbeRTTDuration
    ns3::Time probeWait{};        //!< least time between two probes for bandwidth
    ns3::Time probeWaitSpread{};  //!< at most so much is added to it, at random
    uint32_t probeRounds{};       //!< most rounds between two probes for bandwidth
};

/// RS, sections 2.3 and 4.1.2.
struct RateSample
{
    bool hasData{false};        //!< whether there is a rate
    double rate{0};             //!< RS.delivery_rate
    bool isAppLimited{false};   //!< RS.is_app_limited
    uint64_t delivered{0};      //!< RS.delivered
    uint64_t priorDelivered{0}; //!< RS.prior_delivered
    uint64_t newlyAcked{0};     //!< RS.newly_acked
    double lost{0};             //!< RS.lost
    double inFlightWhenSent{0}; //!< RS.tx_in_flight
    ns3::Time rtt;              //!< RS.rtt, zero if there is none
};

/// C, section 2.2.
struct Connection
{
    double segment{0};           //!< C.SMSS
    double initialWindow{0};     //!< C.InitialCwnd
    double window{0};            //!< C.cwnd
    double inFlight{0};          //!< C.inflight, before this ACK lets any be sent
    double mostInFlight{0};      //!< the most in flight since the last ACK
    uint64_t delivered{0};       //!< C.delivered
    uint64_t lost{0};            //!< C.lost
    bool isWindowLimited{false}; //!< C.is_cwnd_limited
    bool isInRecovery{false};    //!< whether it is in fast recovery
};

} // namespace tcpsweep::bbr3

#endif // TCPSWEEP_BBR3_TYPES_H
