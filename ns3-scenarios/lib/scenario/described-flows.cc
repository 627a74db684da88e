// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/described-flows.h"

#include "flows/assignment.h"
#include "options/values.h"
#include "scenario/described-fields.h"
#include "scenario/described-links.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tcpsweep
{

namespace
{

/**
 * @param fields the fields of flows
 * @param number the number of one of them
 * @param segmentBytes payload of a full segment
 * @return the settings of its own sockets
 */
SocketSettings
ReadSocket(const Options& fields, uint64_t number, uint32_t segmentBytes)
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
    socket.bufferBytes =
        read("socket_buffer",
             [segmentBytes](const std::string& text)
             {
                 const auto bytes = ParseBytes(text);
                 if (bytes < segmentBytes || bytes > std::numeric_limits<uint32_t>::max())
                 {
                     throw BadValue("from one segment to 4294967295 bytes", text);
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
 * @param[in,out] towards the cached paths to each router
 * @param[in,out] flow one of them, whose ends are known; receives its route
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

} // namespace

std::vector<Option>
FlowFields()
{
    auto fields = Shared({"variant",
                          "start",
                          "stop",
                          "start_stagger",
                          "bytes",
                          "packet_rate",
                          "sender_program",
                          "receiver_program"});
    fields.front().value = "";
    fields.push_back({"from", "The node that sends, or one per flow in turn", "", ""});
    fields.push_back({"to", "The node that receives, or one per flow in turn", "", ""});
    fields.push_back({"count", "Number of equal flows", "1", "1"});
    fields.push_back(
        {"socket_buffer", "Size of its sockets' buffers; default: that of all sockets", "B", ""});
    fields.push_back({"delayed_acks",
                      "Full segments per ACK of the receiver; default: ns3::TcpSocket::DelAckCount",
                      "packets",
                      ""});
    fields.push_back(
        {"delayed_ack_timeout",
         "Time after which it acknowledges any segment; default: ns3::TcpSocket::DelAckTimeout",
         "s",
         ""});
    fields.push_back(
        {"route", "The links on the path of their data; default: the shortest path", "", ""});
    return fields;
}

std::vector<FlowParameters>
ReadFlows(const Options& options,
          const Graph& graph,
          const std::vector<LinkParameters>& links,
          uint32_t segmentBytes)
{
    std::vector<FlowParameters> flows;
    std::map<std::size_t, NextHops> towards;
    uint64_t shared = 0;
    for (const auto& name : options.ThingsOf(FLOWS))
    {
        auto known = FlowFields();
        // If the flows have no variants of their own, the run rotates the variants of all flows.
        known.push_back({"assignment", "", "", options.Text("assignment")});
        const auto fields = options.Part(std::string(FLOWS) + "." + name + ".", known);
        const auto count = CountOf(fields);
        const bool hasOwn = !fields.Text("variant").empty();
        const auto variants =
            hasOwn ? AssignInTurn(fields, 0, count) : AssignInTurn(options, shared, count);
        shared += hasOwn ? 0 : count;
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
            flow.socket = ReadSocket(fields, i, segmentBytes);
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

} // namespace tcpsweep
