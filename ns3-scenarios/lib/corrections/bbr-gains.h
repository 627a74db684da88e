// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_BBR_GAINS_H
#define TCPSWEEP_BBR_GAINS_H

#include <ns3/object.h>

namespace tcpsweep
{

/**
 * The gains of Linux' BBR as attributes, for LinuxBbr. ns3::TcpBbr has only HighGain, the gain of
 * the startup, as an attribute, which LinuxBbr takes too.
 */
class BbrGains : public ns3::Object
{
  public:
    /// @return the type's id
    static ns3::TypeId GetTypeId();

    /**
     * @param cycle the number of a phase of ProbeBW, from 0
     * @return pacing rate over bandwidth in this phase
     */
    double Pacing(uint32_t cycle) const;

    /// @return window over bandwidth-delay product in ProbeBW
    double
    Window() const
    {
        return m_window;
    }

    /**
     * @param high the gain of the startup
     * @return pacing rate over bandwidth in Drain
     */
    double
    Drain(double high) const
    {
        return m_drain > 0 ? m_drain : 1 / high;
    }

  private:
    double m_up;     //!< pacing gain of the first phase of ProbeBW
    double m_down;   //!< pacing gain of the second phase
    double m_window; //!< window over bandwidth-delay product in ProbeBW
    double m_drain;  //!< pacing gain of Drain; 0 for the inverse of the startup's
};

} // namespace tcpsweep

#endif // TCPSWEEP_BBR_GAINS_H
