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
     * @param begin the first byte of a segment that came
     * @param size how many bytes it has; the first segment that comes has to be the connection's
     * SYN
     * @param syn whether it is the SYN
     * @return how many of these bytes the receiver held already
     */
    uint32_t Add(ns3::SequenceNumber32 begin, uint32_t size, bool syn);

  private:
    bool m_open{false};           //!< whether the SYN has come
    ns3::SequenceNumber32 m_last; //!< the sequence number that came last
    uint64_t m_lastOffset{0};     //!< how far that is behind the SYN
    uint64_t m_next{1};           //!< the offset that all bytes before have come
    std::map<uint64_t, uint64_t>
        m_ahead; //!< begin to end of what came beyond it, apart from each other
};

} // namespace tcpsweep

#endif // TCPSWEEP_RECEIVED_RANGES_H
