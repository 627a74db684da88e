// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_TOKEN_BUCKET_H
#define TCPSWEEP_TOKEN_BUCKET_H

#include <ns3/data-rate.h>
#include <ns3/nstime.h>

#include <cstdint>

namespace tcpsweep
{

/**
 * Decides which packets conform to a rate with bursts: in any time t, conforming packets have at
 * most rate × t + burst bytes (RFC 2697, with one colour). It uses integers, so rounding errors do
 * not add up.
 */
class TokenBucket
{
  public:
    /// The largest burst in bytes, whose count fits into 64 bits.
    static constexpr uint64_t MOST_BURST_BYTES = 1000000000;

    /**
     * @param rate the rate
     * @param burstBytes the burst; the bucket is full at first
     */
    TokenBucket(ns3::DataRate rate, uint64_t burstBytes);

    /**
     * @param now the time, not before the last call's time
     * @param bytes a packet's bytes, which are taken if it conforms
     * @return whether it conforms
     */
    bool Take(ns3::Time now, uint32_t bytes);

  private:
    uint64_t m_rate;    //!< in bit/s
    uint64_t m_most;    //!< tokens of a full bucket; a bit is 10^9 of them
    uint64_t m_tokens;  //!< the tokens at the last call
    ns3::Time m_filled; //!< the time of the last call
};

} // namespace tcpsweep

#endif // TCPSWEEP_TOKEN_BUCKET_H
