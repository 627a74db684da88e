// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_RECEIVE_WINDOW_H
#define TCPSWEEP_RECEIVE_WINDOW_H

#include <ns3/nstime.h>
#include <ns3/sequence-number.h>

#include <cstdint>

namespace tcpsweep
{

/**
 * The receive window of Linux 6.12, whose buffer grows with the data that the application reads in
 * a round trip (tcp_rcv_space_adjust() and tcp_grow_window() in net/ipv4/tcp_input.c,
 * tcp_select_window() in net/ipv4/tcp_output.c).
 */
class ReceiveWindow
{
  public:
    /**
     * A segment with new data arrives.
     *
     * @param next the first byte that is missing before it
     * @param bytes its data
     * @param heldBytes bytes in the buffer before it
     * @param largest bytes of the largest segment
     * @return whether more may be offered than before
     */
    bool Receive(ns3::SequenceNumber32 next, uint32_t bytes, uint32_t heldBytes, uint32_t largest);

    /// @param rtt a round-trip time that the receiver measured
    void MeasureRtt(ns3::Time rtt);

    /**
     * The application has read all data in order.
     *
     * @param next the first byte that is missing
     */
    void Read(ns3::SequenceNumber32 next);

    /**
     * @param next the first byte that is missing
     * @param heldBytes bytes in the buffer
     * @param shift by how many bits the header shifts the window
     * @return the window to offer now; its end never goes back
     */
    uint32_t Offer(ns3::SequenceNumber32 next, uint32_t heldBytes, uint8_t shift);

    /**
     * @param next the first byte that is missing
     * @param heldBytes bytes in the buffer
     * @return whether the window to offer now is twice the last one (tcp_cleanup_rbuf() in Linux)
     */
    bool HasDoubled(ns3::SequenceNumber32 next, uint32_t heldBytes) const;

  private:
    /// @return the window for bytes in the buffer, without regard to the last offer
    uint64_t Choose(uint32_t heldBytes) const;

    bool m_hasBegun{false};           //!< whether data arrived
    uint32_t m_segment{0};            //!< bytes of the largest segment
    uint64_t m_clamp;                 //!< the largest window
    uint64_t m_buffer;                //!< room for data; at least the clamp
    uint64_t m_bound;                 //!< what may be offered: rcv_ssthresh in Linux
    uint64_t m_lastRead;              //!< bytes that were read in the last round trip
    ns3::Time m_rtt;                  //!< the smoothed round trip
    ns3::Time m_readAt;               //!< when the present round trip began
    ns3::SequenceNumber32 m_readFrom; //!< the first byte that was missing then
    ns3::SequenceNumber32 m_end;      //!< the end of the last window offered
};

} // namespace tcpsweep

#endif // TCPSWEEP_RECEIVE_WINDOW_H
