// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/description.h"

#include "network/graph.h"
#include "options/values.h"
#include "scenario/described-fields.h"
#include "scenario/described-flows.h"
#include "scenario/described-links.h"
#include "scenario/described-traffic.h"
#include "scenario/link-use.h"
#include "scenario/path-mtu.h"

#include <algorithm>
#include <cstddef>

namespace tcpsweep
{

namespace
{

/**
 * Check that flows with DCTCP cross a link that marks.
 *
 * @param p the parameters, whose links have their buffers
 * @throws UsageError
 */
void
CheckDctcp(const ScenarioParameters& p)
{
    for (const auto& flow : p.flows)
    {
        const auto marks = [&p](const Hop& hop)
        {
            const auto& link = p.links[hop.link];
            const auto& way = hop.forward ? link.forward : link.reverse;
            return way.buffer && way.buffer->ecn;
        };
        if (flow.variant && flow.variant->GetName() == "ns3::TcpDctcp" &&
            std::none_of(flow.route.begin(), flow.route.end(), marks))
        {
            throw UsageError(std::string(FLOWS) + "." + flow.group + ".variant",
                             "TcpDctcp needs --links." + p.links[flow.route.front().link].name +
                                 ".ecn=true on a link of its path, and a queue disc that marks, "
                                 "such as RedQueueDisc");
        }
    }
}

} // namespace

std::vector<std::string>
DescribedGroups()
{
    return {LINKS, FLOWS, TRAFFIC};
}

std::vector<Option>
OptionsOfDescriptions()
{
    auto options = Shared({"variant",
                           "stack",
                           "sysctls",
                           "assignment",
                           "ip",
                           "segment_size",
                           "socket_buffer",
                           "start_jitter",
                           "duration"});
    options.push_back(ParameterOption("ecmp",
                                      "Whether flows are spread over all shortest paths, each by a "
                                      "hash of its addresses and ports, true or false"));
    return options;
}

ScenarioParameters
ReadDescription(const Options& options)
{
    ScenarioParameters p;
    p.ecmp = options.As("ecmp", ParseFlag);
    std::vector<FieldsOfLink> fields;
    Graph graph;
    for (const auto& name : options.ThingsOf(LINKS))
    {
        for (const auto& link : ReadLinks(options, name, fields))
        {
            graph.AddLink(link.left, link.right, link.RoundTrip());
            p.links.push_back(link);
        }
    }
    if (p.links.empty())
    {
        throw UsageError("give at least one link, such as --links.first.between=a,b");
    }
    p.ReadCommon(options);
    p.flows = ReadFlows(options, graph, p.links, p.segmentBytes);
    p.traffic = ReadTraffic(options, graph, p.links, p.ecmp);
    const bool none =
        std::none_of(p.flows.begin(), p.flows.end(), [](const auto& flow) { return flow.variant; });
    if (none && p.traffic.empty())
    {
        throw UsageError("give at least one flow, such as --flows.long.from=a --flows.long.to=b");
    }
    FitSegments(graph, p);
    LinkUse use(graph, p.links, p.ecmp);
    for (const auto& flow : p.flows)
    {
        use.Add(flow);
    }
    for (const auto& group : p.traffic)
    {
        use.Add(group);
    }
    use.AddOtherWays();
    for (std::size_t i = 0; i < p.links.size(); ++i)
    {
        auto& link = p.links[i];
        // If no flow crosses it, use a round trip over only this link.
        const auto rtt = use.RoundTrip(i).IsZero() ? link.RoundTrip() : use.RoundTrip(i);
        const auto segment =
            use.SegmentBytes(i) > 0 ? use.SegmentBytes(i) : p.SegmentBytes(link.mtuBytes);
        AddBuffers(fields[i], rtt, p.WireBytes(segment), use.HasDctcp(i), link);
        for (const auto* way : {&link.forward, &link.reverse})
        {
            p.ecn = p.ecn || (way->buffer && way->buffer->ecn);
        }
    }
    CheckDctcp(p);
    p.ReadConsequences(options);
    return p;
}

} // namespace tcpsweep
