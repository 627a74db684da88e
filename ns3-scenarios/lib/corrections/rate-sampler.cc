// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/rate-sampler.h"

namespace tcpsweep
{

const RateSampler::TcpRateSample&
RateSampler::GenerateSample(uint32_t delivered,
                            uint32_t lost,
                            bool isSackReneg,
                            uint32_t priorInFlight,
                            const ns3::Time& minRtt)
{
    // What ns-3 returns is its private member, which the next ACK adds to.
    auto& sample = const_cast<TcpRateSample&>(
        TcpRateLinux::GenerateSample(delivered, lost, isSackReneg, priorInFlight, minRtt));
    m_last = sample;
    sample = TcpRateSample();
    return m_last;
}

} // namespace tcpsweep
