// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/described-traffic.h"

#include "flows/assignment.h"
#include "network/link-share.h"
#include "options/ns3-types.h"
#include "options/text.h"
#include "options/values.h"
#include "scenario/described-fields.h"
#include "scenario/described-links.h"
#include "traffic/traffic-kinds.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tcpsweep
{

namespace
{

/**
 * @param graph the network
 * @param fields the fields of traffic
 * @param name the name of the field that names nodes
 * @return their names
 */
std::vector<std::string>
ReadNodes(const Graph& graph, const Options& fields, const std::string& name)
{
    return fields.ListAs(name,
                         [&graph](const std::string& text)
                         {
                             graph.NodeOf(text);
                             return text;
                         });
}

/**
 * @param graph the network
 * @param links its links
 * @param fields the fields of traffic, with a link
 * @param group the traffic, whose nodes are known
 * @param ecmp whether it takes all shortest paths
 * @return the total rate of its arrivals that fills the link
 * @throws UsageError if none of them crosses the link
 */
ns3::DataRate
RateThatFills(const Graph& graph,
              const std::vector<LinkParameters>& links,
              const Options& fields,
              const TrafficGroup& group,
              bool ecmp)
{
    const auto number =
        fields.As("link", [&links](const std::string& text) { return FindLink(links, text); });
    const auto nodes = [&graph](const std::vector<std::string>& names)
    {
        std::vector<std::size_t> found;
        for (const auto& name : names)
        {
            found.push_back(graph.NodeOf(name));
        }
        return found;
    };
    const auto share = ShareOver(graph, nodes(group.from), nodes(group.to), number, ecmp);
    const auto& link = links[number];
    double rate = 0;
    for (const auto& [each, way] :
         {std::pair{share.forward, &link.forward}, std::pair{share.reverse, &link.reverse}})
    {
        const auto full = static_cast<double>(way->bandwidth.GetBitRate()) / each;
        if (each > 0 && (rate == 0 || full < rate))
        {
            rate = full;
        }
    }
    if (rate == 0)
    {
        throw UsageError(fields.Full("link"),
                         "nothing of " + group.name + " crosses " + link.name +
                             "; expected a link on its path");
    }
    return ns3::DataRate(static_cast<uint64_t>(std::llround(rate)));
}

} // namespace

std::vector<Option>
TrafficFields(const std::string& kind)
{
    auto fields = DeclareTrafficOptions(kind);
    fields.push_back({"kind", "Kind of the traffic", "", ""});
    fields.push_back({"from", "The nodes that data come from", "", ""});
    fields.push_back({"to", "The nodes that data go to", "", ""});
    fields.push_back({"variant", "Congestion control; default: that of the flows", "", ""});
    fields.push_back({"assignment", "", "", "fixed"});
    if (kind == "arrivals")
    {
        fields.push_back({"link", "The link that `load` is a share of", "", ""});
    }
    return fields;
}

std::vector<TrafficGroup>
ReadTraffic(const Options& options,
            const Graph& graph,
            const std::vector<LinkParameters>& links,
            bool ecmp)
{
    std::vector<TrafficGroup> groups;
    for (const auto& name : options.ThingsOf(TRAFFIC))
    {
        const std::string prefix = std::string(TRAFFIC) + "." + name + ".";
        const auto kind = options.TextOf(prefix + "kind");
        if (!kind)
        {
            throw UsageError(prefix + "kind", "expected " + Join(TrafficKinds(), ", "));
        }
        try
        {
            ParseWord(*kind, TrafficKinds());
        }
        catch (const BadValue& error)
        {
            throw UsageError(prefix + "kind", error.what());
        }
        const auto fields = options.Part(prefix, TrafficFields(*kind));
        TrafficGroup group{name,
                           *kind,
                           fields,
                           ReadNodes(graph, fields, "from"),
                           ReadNodes(graph, fields, "to"),
                           {},
                           false,
                           0,
                           0,
                           {}};
        // The first variant of a mix, because turns are only for flows.
        const auto variant = fields.Text("variant").empty() ? AssignVariants(options, {1, 0}, false)
                                                            : AssignVariants(fields, {1, 0}, false);
        group.variant = *variant.front();
        group.hasOwnStream =
            HasAttribute(group.variant, STREAM) && !options.Sets(group.variant, STREAM);
        if (fields.Has("link") && !fields.Text("link").empty())
        {
            group.fullRate = RateThatFills(graph, links, fields, group, ecmp);
        }
        groups.push_back(group);
    }
    return groups;
}

} // namespace tcpsweep
