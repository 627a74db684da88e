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
    m_beforeDecrease = window;
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
    // Figure 4 of the RFC, and 1 where Reno would have grown beyond its last window.
    const double slope = m_reno < m_beforeDecrease ? 3 * (1 - m_decrease) / (1 + m_decrease) : 1;
    m_reno += slope * segments / window;
}

bool
CubicCurve::HasLost() const
{
    return m_beforeDecrease > 0;
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
