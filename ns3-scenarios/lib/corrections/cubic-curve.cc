// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/cubic-curve.h"

#include <cmath>

namespace tcpsweep
{

CubicCurve::CubicCurve(double scale, double decrease)
    : m_scale(scale),
      m_decrease(decrease)
{
}

void
CubicCurve::Reduce(double window, bool converges)
{
    m_max = converges && window < m_max ? window * (1 + m_decrease) / 2 : window;
    m_hasLost = true;
}

void
CubicCurve::Forget()
{
    m_max = 0;
}

void
CubicCurve::Begin(double window)
{
    m_origin = m_max > window ? m_max : window;
    m_timeToOrigin = std::cbrt((m_origin - window) / m_scale);
    m_reno = window;
}

void
CubicCurve::GrowReno(double segments, double window)
{
    // The RFC's Figure 4. Above the last window, the slope should be 1. Linux lacks that.
    const double slope = 3 * (1 - m_decrease) / (1 + m_decrease);
    m_reno += slope * segments / window;
}

bool
CubicCurve::HasLost() const
{
    return m_hasLost;
}

double
CubicCurve::At(double time) const
{
    return m_origin + m_scale * std::pow(time - m_timeToOrigin, 3);
}

double
CubicCurve::Reno() const
{
    return m_reno;
}

} // namespace tcpsweep
