// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_QUICK_ACKS_H
#define TCPSWEEP_QUICK_ACKS_H

#include <ns3/nstime.h>

#include <cstdint>

namespace tcpsweep
{

/**
 * Which segments a receiver acknowledges at once, as Linux' does, so that the sender's window grows
 * fast: the first 16, also after a pause (tcp_event_data_recv() in net/ipv4/tcp_input.c), and all
 * while the receive window grows (tcp_grow_window()).
 */
class QuickAcks
{
  public:
    /**
     * A segment arrives.
     *
     * @param isGrowing whether the receive window grows
     * @param pause a time without segments after which the first ones count again
     * @return whether to acknowledge it at once
     */
    bool Take(bool isGrowing, ns3::Time pause);

  private:
    uint32_t m_left{0};     //!< how many of the first ones are left
    ns3::Time m_last;       //!< when the last segment came
    bool m_hasBegun{false}; //!< whether one came
};

} // namespace tcpsweep

#endif // TCPSWEEP_QUICK_ACKS_H
