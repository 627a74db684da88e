// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/description.h"

#include "flows/assignment.h"
#include "network/link-share.h"
#include "options/ns3-types.h"
#include "options/pattern.h"
#include "options/text.h"
#include "options/values.h"
#include "scenario/scenario-options.h"
#include "traffic/traffic-kinds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>

namespace tcpsweep
{

namespace
{

const std::string LINKS = "links";
const std::string FLOWS = "flows";
const std::string TRAFFIC = "traffic";
constexpr uint64_t MOST_MEMBERS = 100000;

/**
 * @param names names of options that other scenarios have
 * @return these options
 */
std::vector<Option>
Shared(const std::vector<std::string>& names)
{
    const auto all = ScenarioOptions();
    std::vector<Option> found;
    for (const auto& name : names)
    {
        found.push_back(*std::find_if(all.begin(),
                                      all.end(),
                                      [&name](const auto& each) { return each.name == name; }));
    }
    return found;
}

/**
 * @param options the fields of links or flows that are alike
 * @return how many they are
 */
uint64_t
CountOf(const Options& options)
{
    return options.As("count",
                      [](const std::string& text) { return ParseCount(text, 1, MOST_MEMBERS); });
}

/**
 * @param options the fields of a link or of flows
 * @param name the name of a field that names nodes
 * @param member the number of the member
 * @return the names
 */
std::vector<std::string>
NodesOf(const Options& options, const std::string& name, uint64_t member)
{
    return options.ListAs(name,
                          [member](const std::string& text)
                          {
                              if (text.empty())
                              {
                                  throw BadValue("the name of a node", text);
                              }
                              return FillPattern(text, static_cast<int64_t>(member));
                          });
}

/// A link, and the fields that it was read from.
struct FieldsOfLink
{
    Options forward; //!< the link's fields
    Options reverse; //!< those of its way back
};

/**
 * @param options the options
 * @param name the name of links that are alike
 * @param member the number of one of them; nothing to keep lists
 * @return its fields
 */
FieldsOfLink
ReadFields(const Options& options, const std::string& name, std::optional<uint64_t> member)
{
    // A thousand links are read one by one.
    static const auto fields = LinkFields();
    const std::string prefix = LINKS + "." + name + ".";
    const auto forward = options.Part(prefix, fields, member);
    auto back = fields;
    back.erase(std::remove_if(back.begin(),
                              back.end(),
                              [](const auto& field)
                              { return field.name == "between" || field.name == "count"; }),
               back.end());
    for (auto& field : back)
    {
        field.value = forward.Text(field.name);
    }
    return {forward, options.Part(prefix + "back.", back, member)};
}

/**
 * @param options the options
 * @param name the name of links that are alike
 * @param[out] fields the fields of each
 * @return the links
 */
std::vector<LinkParameters>
ReadLinks(const Options& options, const std::string& name, std::vector<FieldsOfLink>& fields)
{
    const auto all = ReadFields(options, name, std::nullopt).forward;
    const auto count = CountOf(all);
    std::vector<LinkParameters> links;
    for (uint64_t i = 0; i < count; ++i)
    {
        const auto ends = NodesOf(all, "between", i);
        if (ends.size() != 2 || ends[0] == ends[1])
        {
            throw UsageError(all.Full("between"),
                             "expected the names of two nodes, such as a,b; got '" +
                                 Join(ends, ",") + "'");
        }
        const auto of = ReadFields(options, name, i);
        auto link = ReadLink(of.forward,
                             count > 1 ? name + "-" + std::to_string(i) : name,
                             ends[0],
                             ends[1]);
        link.reverse = ReadWay(of.reverse);
        const auto same = [&of](const std::string& field)
        {
            return of.forward.Text(field) == of.reverse.Text(field);
        };
        link.sameSchedule = same("schedule") && same("schedule_repeat") && same("step_time") &&
                            same("step_bandwidth") && same("step_delay");
        if (!same("loss"))
        {
            link.reverseLoss = RandomLoss::FromOptions(of.reverse);
        }
        link.forward.jitter = of.forward.As("jitter", ParseTime);
        link.reverse.jitter = of.reverse.As("jitter", ParseTime);
        links.push_back(link);
        fields.push_back(of);
    }
    return links;
}

/**
 * @param options the options
 * @param name the name of flows that are alike
 * @param shared how many flows of other names have their variants from the option variant so far
 * @return their variants
 */
std::vector<Assigned>
ReadVariants(const Options& options, const Options& fields, uint64_t shared, uint64_t count)
{
    const bool own = !fields.Text("variant").empty();
    const bool differ = FlowsDiffer(fields);
    if (own)
    {
        return AssignVariants(fields, {count, 0}, differ, true);
    }
    const auto all = AssignVariants(options, {shared + count, 0}, differ, true);
    return {all.begin() + static_cast<std::ptrdiff_t>(shared), all.end()};
}

/**
 * @param links links
 * @param name the name of one of them
 * @return its number
 */
std::size_t
FindLink(const std::vector<LinkParameters>& links, const std::string& name)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        if (links[i].name == name)
        {
            return i;
        }
        names.push_back(links[i].name);
    }
    throw BadValue("there is no link '" + name + "'" + DidYouMean(name, names));
}

/**
 * @param fields the fields of flows
 * @param number the number of one of them
 * @return what its sockets have of their own
 */
SocketSettings
ReadSocket(const Options& fields, uint64_t number)
{
    const auto read = [&fields, number](const std::string& name, auto parse)
    {
        using Value = std::decay_t<decltype(parse(name))>;
        const auto values = fields.ListAs(
            name,
            [&parse](const std::string& text)
            { return text.empty() ? std::optional<Value>() : std::optional<Value>(parse(text)); });
        return values[number % values.size()];
    };
    SocketSettings socket;
    socket.bufferBytes = read("socket_buffer",
                              [](const std::string& text)
                              {
                                  const auto bytes = ParseBytes(text);
                                  if (bytes > std::numeric_limits<uint32_t>::max())
                                  {
                                      throw BadValue("at most 4294967295 bytes", text);
                                  }
                                  return static_cast<uint32_t>(bytes);
                              });
    socket.delayedAcks = read("delayed_acks",
                              [](const std::string& text)
                              { return static_cast<uint32_t>(ParseCount(text, 1, 1000)); });
    socket.delayedAckTimeout = read("delayed_ack_timeout", ParseDuration);
    return socket;
}

/**
 * @param graph the network
 * @param links its links
 * @param fields the fields of flows
 * @param[in,out] towards what the network told of the ways to each router so far
 * @param[in,out] flow one of them, whose ends are known; gets its route
 */
void
ReadRoute(const Graph& graph,
          const std::vector<LinkParameters>& links,
          const Options& fields,
          std::map<std::size_t, NextHops>& towards,
          FlowParameters& flow)
{
    const auto from =
        fields.As("from", [&](const std::string&) { return graph.NodeOf(flow.from); });
    const auto to = fields.As("to", [&](const std::string&) { return graph.NodeOf(flow.to); });
    if (from == to)
    {
        throw UsageError(fields.Full("to"), "the flow ends where it begins, at " + flow.to);
    }
    if (fields.Text("route").empty())
    {
        const auto router = graph.RouterOf(to);
        const auto [next, isNew] = towards.try_emplace(router);
        if (isNew)
        {
            next->second = graph.Towards(router, false);
        }
        flow.route = fields.As("to",
                               [&, there = &next->second](const std::string&)
                               { return graph.Follow(from, to, *there); });
        return;
    }
    const auto numbers =
        fields.ListAs("route", [&links](const std::string& text) { return FindLink(links, text); });
    flow.route =
        fields.As("route", [&](const std::string&) { return graph.Along(from, numbers, to); });
    flow.hasOwnRoute = true;
}

/**
 * @param options the options
 * @param graph the network
 * @param links its links
 * @return the flows
 */
std::vector<FlowParameters>
ReadFlows(const Options& options, const Graph& graph, const std::vector<LinkParameters>& links)
{
    std::vector<FlowParameters> flows;
    std::map<std::size_t, NextHops> towards;
    uint64_t shared = 0;
    for (const auto& name : options.ThingsOf(FLOWS))
    {
        auto known = FlowFields();
        // Where the flows have no variants of their own, the run rotates those of all.
        known.push_back({"assignment", "", "", options.Text("assignment")});
        const auto fields = options.Part(FLOWS + "." + name + ".", known);
        const auto count = CountOf(fields);
        const auto variants = ReadVariants(options, fields, shared, count);
        shared += fields.Text("variant").empty() ? count : 0;
        const auto stagger = fields.As("start_stagger", ParseTime);
        for (uint64_t i = 0; i < count; ++i)
        {
            auto flow = ReadFlow(fields, i, variants[i]);
            const auto from = NodesOf(fields, "from", i);
            const auto to = NodesOf(fields, "to", i);
            flow.group = name;
            flow.from = from[i % from.size()];
            flow.to = to[i % to.size()];
            flow.start += i * stagger;
            flow.socket = ReadSocket(fields, i);
            ReadRoute(graph, links, fields, towards, flow);
            for (const auto& hop : flow.route)
            {
                flow.baseRtt += links[hop.link].RoundTrip();
            }
            flows.push_back(flow);
        }
    }
    return flows;
}

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
 * @param ecmp whether it takes all shortest ways
 * @return the rate of all its arrivals together at which the link has none left
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
                             "; expected a link on its way");
    }
    return ns3::DataRate(static_cast<uint64_t>(std::llround(rate)));
}

/**
 * @param options the options
 * @param graph the network
 * @param links its links
 * @param ecmp whether it takes all shortest ways
 * @return the traffic beside the flows
 */
std::vector<TrafficGroup>
ReadTraffic(const Options& options,
            const Graph& graph,
            const std::vector<LinkParameters>& links,
            bool ecmp)
{
    std::vector<TrafficGroup> groups;
    for (const auto& name : options.ThingsOf(TRAFFIC))
    {
        const std::string prefix = TRAFFIC + "." + name + ".";
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
                           {}};
        // Of a mix, whose turn is the flows', the first.
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

/**
 * Note what links traffic crosses: the ways to each of its ends from the farthest of its begins.
 *
 * @param graph the network
 * @param links its links
 * @param group the traffic
 * @param[in,out] longest each link's longest base RTT
 * @param[in,out] hasDctcp whether DCTCP crosses each link
 */
void
AddTrafficsRoundTrips(const Graph& graph,
                      const std::vector<LinkParameters>& links,
                      const TrafficGroup& group,
                      std::vector<ns3::Time>& longest,
                      std::vector<bool>& hasDctcp)
{
    const bool dctcp = group.variant.GetName() == "ns3::TcpDctcp";
    for (const auto& name : group.to)
    {
        const auto to = graph.NodeOf(name);
        const auto next = graph.Towards(graph.RouterOf(to), false);
        for (const auto& begin : group.from)
        {
            const auto from = graph.NodeOf(begin);
            if (from == to)
            {
                continue;
            }
            const auto route = graph.Follow(from, to, next);
            ns3::Time rtt;
            for (const auto& hop : route)
            {
                rtt += links[hop.link].RoundTrip();
            }
            for (const auto& hop : route)
            {
                longest[hop.link] = std::max(longest[hop.link], rtt);
                hasDctcp[hop.link] = hasDctcp[hop.link] || dctcp;
            }
        }
    }
}

/**
 * Give a link its buffers.
 *
 * @param fields its fields
 * @param wirePacketBytes bytes of a full segment on the wire
 * @param hasDctcp whether flows with DCTCP cross it
 * @param[in,out] link the link
 */
void
AddBuffers(const FieldsOfLink& fields,
           uint32_t wirePacketBytes,
           bool hasDctcp,
           LinkParameters& link)
{
    const auto add = [&](const Options& options, WayParameters& way)
    {
        if (options.Text("queue") == "none")
        {
            return;
        }
        const auto buffer =
            ReadBuffer(options, {way.bandwidth, way.delay, link.bdpBytes, wirePacketBytes});
        CheckMarks(options, buffer, hasDctcp && buffer.ecn);
        way.buffer = buffer;
    };
    add(fields.forward, link.forward);
    add(fields.reverse, link.reverse);
}

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
            throw UsageError(FLOWS + "." + flow.group + ".variant",
                             "TcpDctcp needs --links." + p.links[flow.route.front().link].name +
                                 ".ecn=true, or that of another link of its way, and a queue disc "
                                 "that marks, such as RedQueueDisc");
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
    auto options = Shared(
        {"variant", "assignment", "segment_size", "socket_buffer", "start_jitter", "duration"});
    options.push_back({"ecmp",
                       "Whether flows take all ways of the fewest links, each the one that a hash "
                       "of its addresses and ports says, true or false",
                       "",
                       "false"});
    return options;
}

std::vector<Option>
LinkFields()
{
    auto fields = Shared({"bandwidth",
                          "delay",
                          "loss",
                          "loss_unit",
                          "loss_on",
                          "loss_burst",
                          "loss_stream",
                          "queue",
                          "queue_disc",
                          "device_queue",
                          "ecn",
                          "ecn_threshold",
                          "step_time",
                          "step_bandwidth",
                          "step_delay"});
    for (const auto& field : ChangingWay::Declared())
    {
        fields.push_back(field);
    }
    fields.push_back({"between", "The two nodes that it is between", "", ""});
    fields.push_back({"count", "How many links there are alike", "1", "1"});
    fields.push_back(
        {"jitter", "Each packet is late by a uniform draw from 0 to this, in order", "s", "0s"});
    return fields;
}

std::vector<Option>
FlowFields()
{
    auto fields = Shared({"variant", "start", "stop", "start_stagger", "bytes", "packet_rate"});
    fields.front().value = "";
    fields.push_back({"from", "The node that sends, or one per flow in turn", "", ""});
    fields.push_back({"to", "The node that receives, or one per flow in turn", "", ""});
    fields.push_back({"count", "How many flows there are alike", "1", "1"});
    fields.push_back(
        {"socket_buffer", "Size of its sockets' buffers, unless all sockets'", "B", ""});
    fields.push_back({"delayed_acks",
                      "Of how many full segments the receiver acknowledges at least one, unless "
                      "ns3::TcpSocket::DelAckCount",
                      "packets",
                      ""});
    fields.push_back({"delayed_ack_timeout",
                      "After what time it acknowledges each, unless ns3::TcpSocket::DelAckTimeout",
                      "s",
                      ""});
    fields.push_back({"route", "The links that their data cross, unless the fewest", "", ""});
    return fields;
}

std::vector<Option>
TrafficFields(const std::string& kind)
{
    auto fields = DeclareTrafficOptions(kind);
    fields.push_back({"kind", "What kind of traffic it is", "", ""});
    fields.push_back({"from", "The nodes that data come from", "", ""});
    fields.push_back({"to", "The nodes that data go to", "", ""});
    fields.push_back({"variant", "Congestion control, unless that of the flows", "", ""});
    fields.push_back({"assignment", "", "", "fixed"});
    if (kind == "arrivals")
    {
        fields.push_back({"link", "The link of which `load` is that share", "", ""});
    }
    return fields;
}

ScenarioParameters
ReadDescription(const Options& options)
{
    ScenarioParameters p;
    p.ReadCommon(options, Ip::V4);
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
    p.flows = ReadFlows(options, graph, p.links);
    p.traffic = ReadTraffic(options, graph, p.links, p.ecmp);
    const bool none =
        std::none_of(p.flows.begin(), p.flows.end(), [](const auto& flow) { return flow.variant; });
    if (none && p.traffic.empty())
    {
        throw UsageError("give at least one flow, such as --flows.long.from=a --flows.long.to=b");
    }
    std::vector<ns3::Time> longest(p.links.size());
    std::vector<bool> hasDctcp(p.links.size());
    for (const auto& flow : p.flows)
    {
        const bool dctcp = flow.variant && flow.variant->GetName() == "ns3::TcpDctcp";
        for (const auto& hop : flow.route)
        {
            longest[hop.link] = std::max(longest[hop.link], flow.baseRtt);
            hasDctcp[hop.link] = hasDctcp[hop.link] || dctcp;
        }
    }
    for (const auto& group : p.traffic)
    {
        AddTrafficsRoundTrips(graph, p.links, group, longest, hasDctcp);
    }
    for (std::size_t i = 0; i < p.links.size(); ++i)
    {
        auto& link = p.links[i];
        const auto rate = std::max(link.forward.bandwidth, link.reverse.bandwidth);
        // Where no flow crosses it, one over this link alone.
        const auto rtt = longest[i].IsZero() ? link.RoundTrip() : longest[i];
        link.bdpBytes = static_cast<double>(rate.GetBitRate()) / 8 * rtt.GetSeconds();
        AddBuffers(fields[i], p.wirePacketBytes, hasDctcp[i], link);
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
