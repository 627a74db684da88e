// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_RATE_SAMPLER_H
#define TCPSWEEP_RATE_SAMPLER_H

#include <ns3/nstime.h>
#include <ns3/tcp-rate-ops.h>
#include <ns3/tcp-tx-item.h>

#include <cstdint>

namespace tcpsweep
{

/**
 * Estimates the delivery rate from the segments that each ACK acknowledges, and no older ones.
 *
 * Linux begins each ACK with an empty rate sample (tcp_ack() in net/ipv4/tcp_input.c). So the
 * sample comes from one of the segments that it acknowledges: the one that knows most data as
 * delivered. Among equals, it is the first here and, since 5.18, the last in Linux. This changes
 * nothing that was measured. ns-3's sampler keeps the sample of earlier ACKs
 * (TcpRateLinux::SkbDelivered() in tcp-rate-ops.cc, as of 3.44).
 * Segments that were sent between the same two ACKs know the same amount as delivered, so that all
 * but the first acknowledged of them are divided by its shorter interval, and the rate is
 * overestimated.
 */
class RateSampler : public ns3::TcpRateLinux
{
  public:
    const TcpRateSample& GenerateSample(uint32_t delivered,
                                        uint32_t lost,
                                        bool isSackReneg,
                                        uint32_t priorInFlight,
                                        const ns3::Time& minRtt) override;

  private:
    TcpRateSample m_last; //!< the sample of the last ACK
};

} // namespace tcpsweep

#endif // TCPSWEEP_RATE_SAMPLER_H
