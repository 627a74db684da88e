// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_WITH_HYSTART_PLUS_PLUS_H
#define TCPSWEEP_WITH_HYSTART_PLUS_PLUS_H

#include "corrections/window-limit.h"
#include "hystart-plus-plus.h"

#include <ns3/nstime.h>
#include <ns3/ptr.h>
#include <ns3/tcp-socket-state.h>

#include <cstdint>

namespace tcpsweep
{

/**
 * A congestion control whose first slow start is HyStart++, RFC 9406. The RFC leaves later ones to
 * the usual slow start, because they know where to end.
 *
 * @tparam Base the congestion control
 */
template <typename Base>
class WithHyStartPlusPlus : public Base
{
  public:
    void
    PktsAcked(ns3::Ptr<ns3::TcpSocketState> tcb, uint32_t segments, const ns3::Time& rtt) override
    {
        Base::PktsAcked(tcb, segments, rtt);
        if (IsFirstSlowStart(*tcb) && tcb->m_lastRtt.Get().IsStrictlyPositive())
        {
            m_slowStart.Measure(*tcb);
        }
    }

    void
    IncreaseWindow(ns3::Ptr<ns3::TcpSocketState> tcb, uint32_t segments) override
    {
        if (!IsFirstSlowStart(*tcb))
        {
            Base::IncreaseWindow(tcb, segments);
            return;
        }
        if (IsWindowLimited(*tcb, 0))
        {
            tcb->m_cWnd += m_slowStart.Growth(*tcb, segments);
        }
        if (m_slowStart.HasEnded())
        {
            tcb->m_ssThresh = tcb->m_cWnd.Get();
        }
    }

    uint32_t
    GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> tcb, uint32_t inFlight) override
    {
        m_isFirst = false;
        return Base::GetSsThresh(tcb, inFlight);
    }

  private:
    /// @return whether this is the connection's first slow start
    bool
    IsFirstSlowStart(const ns3::TcpSocketState& tcb) const
    {
        return m_isFirst && tcb.m_cWnd < tcb.m_ssThresh;
    }

    HyStartPlusPlus m_slowStart; //!< HyStart++
    bool m_isFirst{true};        //!< whether there was neither a loss nor a mark
};

} // namespace tcpsweep

#endif // TCPSWEEP_WITH_HYSTART_PLUS_PLUS_H
