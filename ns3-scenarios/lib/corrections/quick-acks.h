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
 * while the receive window grows (tcp_grow_window()). It begins with 64 KiB, and grows by two
 * segments for each that arrives.
 */
class QuickAcks
{
  public:
    /// A segment.
    struct Segment
    {
        uint32_t bytes;       //!< its data
        uint32_t bufferBytes; //!< the receiver's buffer
        ns3::Time pause;      //!< a time without segments after which the first ones count again
    };

    /**
     * @param segment a segment that arrives
     * @return whether to acknowledge it at once
     */
    bool Take(const Segment& segment);

  private:
    uint32_t m_left{0};     //!< how many of the first ones are left
    uint64_t m_window{0};   //!< the receive window
    ns3::Time m_last;       //!< when the last segment came
    bool m_hasBegun{false}; //!< whether one came
};

} // namespace tcpsweep

#endif // TCPSWEEP_QUICK_ACKS_H
