// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_OPPORTUNITY_TRACE_H
#define TCPSWEEP_OPPORTUNITY_TRACE_H

#include <ns3/data-rate.h>
#include <ns3/nstime.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tcpsweep
{

/**
 * The times when a link can deliver: a trace in Mahimahi's format (Netravali et al., Mahimahi:
 * Accurate Record-and-Replay for HTTP, USENIX ATC 2015; the manual page of mm-link). Each line is a
 * whole number of milliseconds, the time of one opportunity to deliver OPPORTUNITY_BYTES. Times do
 * not decrease, and several may be equal. The trace repeats at the time of its last line, without
 * end. Opportunities are numbered from 0.
 */
class OpportunityTrace
{
  public:
    /// The size of an opportunity: bytes of IP packets, without the link's header.
    static constexpr uint32_t OPPORTUNITY_BYTES = 1500;

    /**
     * @param path a file
     * @return the trace in it
     * @throws BadValue that names file and line
     */
    static std::shared_ptr<const OpportunityTrace> Read(const std::string& path);

    /// @return opportunities in the file
    uint64_t Count() const;

    /// @return the time after which the trace repeats
    ns3::Time Period() const;

    /// @return the rate at which it delivers bytes of IP packets, over its period
    ns3::DataRate MeanRate() const;

    /**
     * @param number an opportunity
     * @return its time
     */
    ns3::Time TimeOf(uint64_t number) const;

    /**
     * @param time a time, not below zero
     * @return the first opportunity after it, which is also the number of opportunities until then
     */
    uint64_t FirstAfter(ns3::Time time) const;

  private:
    /**
     * @param text a file's content
     * @param path the file, for messages
     */
    OpportunityTrace(const std::string& text, const std::string& path);

    std::vector<uint32_t> m_times; //!< in milliseconds
};

} // namespace tcpsweep

#endif // TCPSWEEP_OPPORTUNITY_TRACE_H
