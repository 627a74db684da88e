// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_BBR3_PROBE_BANDWIDTH_H
#define TCPSWEEP_BBR3_PROBE_BANDWIDTH_H

#include "bbr3-path-model.h"
#include "bbr3-types.h"

#include <ns3/nstime.h>
#include <ns3/random-variable-stream.h>

#include <cstdint>
#include <optional>

namespace tcpsweep::bbr3
{

/// The states that probe for bandwidth: draft-ietf-ccwg-bbr-06, sections 5.3.3 and 5.5.10.2.
class ProbeBandwidth : public PathModel
{
  public:
    /// @return BBR.state
    State GetState() const;

  protected:
    // Section 5.3.3.9.
    void StartDown();
    void StartCruise();
    void StartRefill();
    void UpdateProbeBandwidthPhase();
    bool IsInAProbeBandwidthState() const;
    bool IsProbingBandwidth() const;

    /// Section 5.5.10.2.
    void HandleInflightTooHigh();

    /// Section 5.6.4.2. @return gain times BDP, with what the hosts need in addition
    virtual double Inflight(double bandwidth, double gain) const = 0;

    ns3::Ptr<ns3::UniformRandomVariable> m_draw{
        ns3::CreateObject<ns3::UniformRandomVariable>()}; //!< random numbers
    State m_state{State::STARTUP};                        //!< BBR.state
    AckPhase m_ackPhase{AckPhase::INIT};                  //!< BBR.ack_phase
    bool m_isProbeSample{false};                          //!< BBR.is_bw_probe_sample
    std::optional<State> m_undoState;                     //!< BBR.undo_state

  private:
    // Section 5.3.3.9.
    void StartUp();
    bool IsTimeToProbe() const;
    bool IsTimeToCruise() const;
    bool IsTimeToGoDown();
    void RaiseLongTermSlope();
    void ProbeLongTermUpward();
    /// @return whether it decided a transition
    bool AdaptLongTermModel();
    /// @return whether samples of the last probe for bandwidth led to the next one
    bool EndProbeSamples();

    bool m_wasTooHigh{false};             //!< BBR.prev_probe_too_high
    bool m_wasPrecautionary{false};       //!< BBR.prev_probe_precautionary
    double m_upAcked{0};                  //!< BBR.bw_probe_up_acked
    double m_ackedPerIncrease{UNLIMITED}; //!< BBR.probe_up_acked_per_inc
    uint32_t m_upRounds{0};               //!< BBR.bw_probe_up_rounds
    ns3::Time m_cycleAt;                  //!< BBR.cycle_stamp
    ns3::Time m_wait;                     //!< BBR.bw_probe_wait
};

} // namespace tcpsweep::bbr3

#endif // TCPSWEEP_BBR3_PROBE_BANDWIDTH_H
