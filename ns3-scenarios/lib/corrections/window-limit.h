// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_WINDOW_LIMIT_H
#define TCPSWEEP_WINDOW_LIMIT_H

namespace tcpsweep
{

/// @return whether the window limits what is sent; call it with 0
template <typename T>
auto
IsWindowLimited(const T& tcb, int) -> decltype(tcb.m_isCwndLimited)
{
    return tcb.m_isCwndLimited;
}

/// In older versions, ns-3 does not know it.
template <typename T>
bool
IsWindowLimited(const T&, long)
{
    return true;
}

} // namespace tcpsweep

#endif // TCPSWEEP_WINDOW_LIMIT_H
