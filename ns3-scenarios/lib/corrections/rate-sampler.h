// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_RATE_SAMPLER_H
#define TCPSWEEP_RATE_SAMPLER_H

#include <ns3/nstime.h>
#include <ns3/tcp-rate-ops.h>
#include <ns3/tcp-tx-item.h>

#include <cstdint>
#include <optional>

namespace tcpsweep
{

/**
 * Estimates the delivery rate from the segments that each ACK acknowledges, and no older ones.
 *
 * Linux begins each ACK with an empty rate sample (tcp_ack() in net/ipv4/tcp_input.c). So the
 * sample comes from one of the segments that it acknowledges. ns-3's sampler keeps the sample of
 * earlier ACKs (TcpRateLinux::SkbDelivered() in tcp-rate-ops.cc, as of 3.44).
 * Segments that were sent between the same two ACKs know the same amount as delivered, so that all
 * but the first acknowledged of them are divided by its shorter interval, and the rate is
 * overestimated.
 */
class RateSampler : public ns3::TcpRateLinux
{
  public:
    /**
     * @param takesLast whether the sample comes from the segment that was sent last, as in Linux
     * since 5.18 (tcp_rate_skb_delivered() in net/ipv4/tcp_rate.c); else from the first of the
     * segments that know most data as delivered
     */
    explicit RateSampler(bool takesLast);

    /// @param minRtt the least round-trip time; ns-3 gives the least smoothed one, below which a
    /// sample is not valid
    void SetMinRtt(ns3::Time minRtt);

    void SkbDelivered(ns3::TcpTxItem* segment) override;
    const TcpRateSample& GenerateSample(uint32_t delivered,
                                        uint32_t lost,
                                        bool isSackReneg,
                                        uint32_t priorInFlight,
                                        const ns3::Time& minRtt) override;

  private:
    bool m_takesLast;     //!< whether the sample comes from the segment that was sent last
    TcpRateSample m_last; //!< the sample of the last ACK
    std::optional<ns3::Time> m_minRtt; //!< the least round-trip time, if it is told
};

} // namespace tcpsweep

#endif // TCPSWEEP_RATE_SAMPLER_H
