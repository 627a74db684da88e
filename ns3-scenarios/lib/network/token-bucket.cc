// SPDX-License-Identifier: GPL-2.0-only
#include "network/token-bucket.h"

namespace tcpsweep
{

namespace
{

/// Tokens of a byte: a rate of 1 bit/s makes one token each nanosecond.
constexpr uint64_t TOKENS_PER_BYTE = 8 * uint64_t{1000000000};

} // namespace

TokenBucket::TokenBucket(ns3::DataRate rate, uint64_t burstBytes)
    : m_rate(rate.GetBitRate()),
      m_most(burstBytes * TOKENS_PER_BYTE),
      m_tokens(m_most)
{
}

bool
TokenBucket::Take(ns3::Time now, uint32_t bytes)
{
    const auto passed = static_cast<uint64_t>((now - m_filled).GetNanoSeconds());
    m_filled = now;
    const uint64_t missing = m_most - m_tokens;
    // Below that, the product fits into 64 bits.
    m_tokens = passed > missing / m_rate ? m_most : m_tokens + passed * m_rate;
    const uint64_t needed = bytes * TOKENS_PER_BYTE;
    if (needed > m_tokens)
    {
        return false;
    }
    m_tokens -= needed;
    return true;
}

} // namespace tcpsweep
