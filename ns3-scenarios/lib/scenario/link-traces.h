// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_LINK_TRACES_H
#define TCPSWEEP_LINK_TRACES_H

#include "output/json.h"
#include "scenario/network.h"
#include "traces/bottleneck-trace.h"
#include "traces/output-files.h"

#include <ns3/nstime.h>

#include <memory>
#include <vector>

namespace tcpsweep
{

/// The queues of all traced links, in the directions of flows' data.
class LinkTraces
{
  public:
    /**
     * @param links the traced links, which live longer than their traces
     * @param end when the simulation ends
     * @param files the files for rows
     */
    LinkTraces(const std::vector<TracedLink>& links, ns3::Time end, OutputFiles& files);

    /**
     * @param links the traced links
     * @return the queues whose events are written
     */
    static std::vector<TracedQueue> Queues(const std::vector<TracedLink>& links);

    /// @param json the writer, which receives the links as a list
    void Write(JsonWriter& json) const;

  private:
    const std::vector<TracedLink>& m_links; //!< the traced links
    ns3::Time m_end;                        //!< when the simulation ends
    std::vector<std::unique_ptr<BottleneckTrace>>
        m_traces; //!< two for each; nullptr if not crossed
};

} // namespace tcpsweep

#endif // TCPSWEEP_LINK_TRACES_H
