// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_APPLICATION_WRITES_H
#define TCPSWEEP_APPLICATION_WRITES_H

#include <ns3/sequence-number.h>

#include <cstdint>
#include <set>

namespace tcpsweep
{

/**
 * Where the writes of an application end that always has data. Linux sets PSH there (tcp_push() in
 * net/ipv4/tcp.c). The application writes as flows with Linux' TCP do: when less than half a window
 * waits to be sent, until the buffer is full. Linux' buffer has room for two of the largest
 * congestion windows, with BBR for three (tcp_sndbuf_expand() in net/ipv4/tcp_input.c).
 */
class ApplicationWrites
{
  public:
    /// @param windows the congestion windows for which the buffer has room
    explicit ApplicationWrites(uint32_t windows);

    /**
     * An ACK has arrived, and all that it allows has been sent.
     *
     * @param acked the first byte without an ACK
     * @param sent the byte after the last one sent
     * @param window the congestion window in bytes
     * @param segment bytes of a segment
     */
    void Continue(ns3::SequenceNumber32 acked,
                  ns3::SequenceNumber32 sent,
                  uint32_t window,
                  uint32_t segment);

    /**
     * @param begin the first byte of a segment
     * @param end the byte after its last one
     * @return whether a write ends in it
     */
    bool EndIn(ns3::SequenceNumber32 begin, ns3::SequenceNumber32 end) const;

  private:
    uint32_t m_windows;                     //!< for which the buffer has room
    uint32_t m_largest{0};                  //!< the largest congestion window in bytes
    std::set<ns3::SequenceNumber32> m_ends; //!< the byte after each write, if it has no ACK
};

} // namespace tcpsweep

#endif // TCPSWEEP_APPLICATION_WRITES_H
