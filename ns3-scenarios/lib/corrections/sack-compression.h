// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_SACK_COMPRESSION_H
#define TCPSWEEP_SACK_COMPRESSION_H

#include <ns3/nstime.h>
#include <ns3/sequence-number.h>

#include <cstdint>

namespace tcpsweep
{

/**
 * Which ACKs of segments after a gap a receiver sends at once, as Linux' does
 * (__tcp_ack_snd_check() in net/ipv4/tcp_input.c, since 4.18): the first three after each advance.
 * One ACK for all further segments follows after a millisecond, or after a twentieth of the
 * round-trip time if that is shorter.
 */
class SackCompression
{
  public:
    /**
     * A segment has arrived after a gap, or has filled a part of one.
     *
     * @param next the next byte that the receiver expects
     * @return whether to send the ACK at once
     */
    bool IsImmediate(ns3::SequenceNumber32 next);

    /// An ACK leaves, whatever its reason: no segment waits any more.
    void CountFromNow();

    /**
     * @param rtt the round-trip time, zero if it is not known
     * @return how long an ACK waits
     */
    static ns3::Time Delay(ns3::Time rtt);

  private:
    ns3::SequenceNumber32 m_next; //!< the next expected byte when the count began
    uint32_t m_sent{0};           //!< ACKs that were sent at once since
    uint32_t m_waiting{0};        //!< segments whose ACK waits
};

} // namespace tcpsweep

#endif // TCPSWEEP_SACK_COMPRESSION_H
