// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_RECEIVED_RANGES_H
#define TCPSWEEP_RECEIVED_RANGES_H

#include <ns3/sequence-number.h>

#include <cstdint>
#include <map>

namespace tcpsweep
{

/// Which bytes of a connection a receiver holds.
class ReceivedRanges
{
  public:
    /**
     * @param begin sequence number of an arrived segment's first byte
     * @param size its number of bytes; the first segment must be the connection's SYN
     * @param syn whether it is the SYN
     * @return the number of these bytes that the receiver already had
     */
    uint32_t Add(ns3::SequenceNumber32 begin, uint32_t size, bool syn);

    /// @return the number of bytes that have arrived although others before them are missing
    uint64_t Waiting() const;

  private:
    bool m_open{false};           //!< whether the SYN has come
    ns3::SequenceNumber32 m_last; //!< sequence number of the last segment
    uint64_t m_lastOffset{0};     //!< its offset from the SYN's
    uint64_t m_next{1};           //!< offset below which all bytes have arrived
    std::map<uint64_t, uint64_t>
        m_ahead; //!< ranges that arrived beyond it, begin to end, apart from each other
};

} // namespace tcpsweep

#endif // TCPSWEEP_RECEIVED_RANGES_H
