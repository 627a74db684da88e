// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_BBR3_CONTROL_H
#define TCPSWEEP_BBR3_CONTROL_H

#include "bbr3-state-machine.h"

#include <ns3/nstime.h>

namespace tcpsweep::bbr3
{

/// Sets the pacing rate and the window: draft-ietf-ccwg-bbr-06, section 5.6.
class Control : public StateMachine
{
  public:
    /// @return BBR.pacing_gain
    double PacingGain() const;
    /// @return BBR.cwnd_gain
    double WindowGain() const;

  protected:
    /// Section 5.6.2. The first pacing rate. @param rtt a round-trip time, 1 ms before there is any
    void BeginPacing(ns3::Time rtt);
    /// Section 5.6.2.
    void SetPacingRate(double gain);
    /// Sections 5.6.3 and 5.6.4. The window of the connection is the present one.
    void SetWindow();

    double Inflight(double bandwidth, double gain) const override;

    double m_pacingRate{0}; //!< C.pacing_rate

  private:
    /// @return a bound with the least that hosts need, QuantizationBudget() in section 5.6.4.2
    double WithBudget(double inflight) const;
    /// Section 5.6.4.7. @return the bound of the model
    double ModelBound() const;
};

} // namespace tcpsweep::bbr3

#endif // TCPSWEEP_BBR3_CONTROL_H
