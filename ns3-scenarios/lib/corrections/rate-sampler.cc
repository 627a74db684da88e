// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/rate-sampler.h"

#include "corrections/private-member.h"

namespace tcpsweep
{

TCPSWEEP_PRIVATE_MEMBER(RateSample,
                        ns3::TcpRateLinux,
                        m_rateSample,
                        ns3::TcpRateOps::TcpRateSample);

RateSampler::RateSampler(bool takesLast)
    : m_takesLast(takesLast)
{
}

void
RateSampler::SkbDelivered(ns3::TcpTxItem* segment)
{
    const bool isNew = segment->GetRateInformation().m_deliveredTime != ns3::Time::Max();
    if (m_takesLast && isNew && segment->GetLastSent() >= GetConnectionRate().m_firstSentTime)
    {
        // ns-3 takes a segment if there is none yet, or if it knows of more delivered data.
        (this->*Member(RateSample())).m_priorDelivered = 0;
    }
    TcpRateLinux::SkbDelivered(segment);
}

void
RateSampler::SetMinRtt(ns3::Time minRtt)
{
    m_minRtt = minRtt;
}

const RateSampler::TcpRateSample&
RateSampler::GenerateSample(uint32_t delivered,
                            uint32_t lost,
                            bool isSackReneg,
                            uint32_t priorInFlight,
                            const ns3::Time& minRtt)
{
    m_last = TcpRateLinux::GenerateSample(delivered,
                                          lost,
                                          isSackReneg,
                                          priorInFlight,
                                          m_minRtt.value_or(minRtt));
    this->*Member(RateSample()) = TcpRateSample(); // the next ACK would add to it
    return m_last;
}

} // namespace tcpsweep
