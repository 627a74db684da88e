// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_DURATIONS_H
#define TCPSWEEP_DURATIONS_H

#include <ns3/nstime.h>
#include <ns3/random-variable-stream.h>

#include <string>

namespace tcpsweep
{

/**
 * @param stream the number of a random stream
 * @return draws from 0 to 1, below 1
 */
ns3::Ptr<ns3::UniformRandomVariable> SharesOf(int64_t stream);

/// A distribution of times: all the same, or exponential.
class Durations
{
  public:
    /**
     * @param text `TIME` or `constant:TIME`, or `exponential:MEAN`
     * @return the distribution
     * @throws BadValue
     */
    static Durations Parse(const std::string& text);

    /// @return the mean
    ns3::Time
    Mean() const
    {
        return m_mean;
    }

    /**
     * @param share a number from 0 to 1, below 1
     * @return the time that this share of all times is not above
     */
    ns3::Time At(double share) const;

  private:
    ns3::Time m_mean;          //!< the mean
    bool m_exponential{false}; //!< whether the times are exponential
};

} // namespace tcpsweep

#endif // TCPSWEEP_DURATIONS_H
