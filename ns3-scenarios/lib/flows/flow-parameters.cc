// SPDX-License-Identifier: GPL-2.0-only
#include "flows/flow-parameters.h"

#include "options/ns3-types.h"
#include "options/values.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <type_traits>

namespace tcpsweep
{

namespace
{

constexpr double LEAST_PACKET_RATE = 1e-6;
const std::string NO_PROGRAM = "none";

/// The options that may have a value per flow.
const char* const PER_FLOW[] = {"access_bandwidth",
                                "access_delay",
                                "receiver_access_bandwidth",
                                "receiver_access_delay",
                                "bytes",
                                "packet_rate",
                                "socket_buffer",
                                "start",
                                "stop"};

/**
 * @param options the options
 * @param name the option of the receivers' links
 * @param parse makes a value from a text other than same
 * @param ofSenders the value of a flow's sender's link, by the flow's number
 * @return the value of a flow's receiver's link, by the flow's number
 */
template <typename Parse, typename OfSenders>
auto
OfReceivers(const Options& options, const std::string& name, Parse parse, OfSenders ofSenders)
{
    using Value = std::decay_t<decltype(parse(name))>;
    const auto values = options.ListAs(
        name,
        [&parse](const std::string& text)
        { return text == "same" ? std::optional<Value>() : std::optional<Value>(parse(text)); });
    return [values, ofSenders](uint64_t flow)
    {
        return values[flow % values.size()].value_or(ofSenders(flow));
    };
}

/**
 * @param options the options
 * @param accessLinks access links on a flow's path
 * @return a function from a flow's number to its access links
 */
std::function<void(uint64_t, FlowParameters&)>
ReadAccessLinks(const Options& options, uint32_t accessLinks)
{
    if (accessLinks == 0)
    {
        return [](uint64_t, FlowParameters&) {};
    }
    const auto bandwidth = [values = options.ListAs("access_bandwidth", ParseRate)](uint64_t flow)
    {
        return values[flow % values.size()];
    };
    const auto delay = [values = options.ListAs("access_delay", ParseTime)](uint64_t flow)
    {
        return values[flow % values.size()];
    };
    if (accessLinks == 1)
    {
        return [=](uint64_t i, FlowParameters& flow)
        {
            flow.senderAccess = {bandwidth(i), delay(i)};
        };
    }
    const auto there = OfReceivers(options, "receiver_access_bandwidth", ParseRate, bandwidth);
    const auto delayThere = OfReceivers(options, "receiver_access_delay", ParseTime, delay);
    return [=](uint64_t i, FlowParameters& flow)
    {
        flow.senderAccess = {bandwidth(i), delay(i)};
        flow.receiverAccess = {there(i), delayThere(i)};
    };
}

} // namespace

const char* const STREAM = "Stream";

FlowParameters
ReadFlow(const Options& options, uint64_t number, const Assigned& variant)
{
    const auto turn = [number](const auto& values)
    {
        return values[number % values.size()];
    };
    FlowParameters flow;
    flow.variant = variant;
    flow.hasOwnStream =
        variant && HasAttribute(*variant, STREAM) && !options.Sets(*variant, STREAM);
    flow.bytes = turn(options.ListAs("bytes",
                                     [](const std::string& text)
                                     { return ParseCount(text, 0, 1000000000000000); }));
    flow.packetRate =
        turn(options.ListAs("packet_rate",
                            [](const std::string& text)
                            {
                                // At a lower rate, the interval between packets would overflow
                                // ns-3's Time.
                                const double rate = ParseNumber(text, 0, 1000000);
                                if (rate > 0 && rate < LEAST_PACKET_RATE)
                                {
                                    throw BadValue("0, or from 1e-6 to 1000000 packets/s", text);
                                }
                                return rate;
                            }));
    const auto command = [&options](const std::string& name)
    {
        return options.Text(name) == NO_PROGRAM ? std::string() : options.Text(name);
    };
    flow.programs = {command("sender_program"), command("receiver_program")};
    flow.start = turn(options.ListAs("start", ParseTime));
    flow.stop = turn(options.ListAs("stop", ParseTime));
    if (flow.stop.IsStrictlyPositive() && flow.stop <= flow.start)
    {
        throw UsageError(options.Full("stop"),
                         "flow " + std::to_string(number) +
                             " leaves before it joins; 0s lets it stay to the end");
    }
    return flow;
}

std::vector<FlowParameters>
ReadFlows(const Options& options, ns3::Time delay, uint32_t accessLinks)
{
    const auto count =
        options.As("flows", [](const std::string& text) { return ParseCount(text, 1, 1000); });
    const auto reverse =
        options.As("reverse_flows",
                   [](const std::string& text) { return ParseCount(text, 0, 1000); });
    const auto variants = AssignVariants(options, {count, reverse}, FlowsDiffer(options));
    const auto setAccessLinks = ReadAccessLinks(options, accessLinks);
    std::vector<FlowParameters> flows;
    for (uint64_t i = 0; i < count + reverse; ++i)
    {
        FlowParameters flow = ReadFlow(options, i, variants[i]);
        flow.direction = i < count ? Direction::FORWARD : Direction::REVERSE;
        setAccessLinks(i, flow);
        flow.baseRtt = 2 * (flow.senderAccess.delay + delay + flow.receiverAccess.delay);
        flows.push_back(flow);
    }
    return flows;
}

bool
FlowsDiffer(const Options& options)
{
    const bool lists =
        std::any_of(std::begin(PER_FLOW),
                    std::end(PER_FLOW),
                    [&options](const char* name)
                    { return options.Has(name) && Split(options.Text(name), ',').size() > 1; });
    return lists || options.As("start_stagger", ParseTime).IsStrictlyPositive();
}

} // namespace tcpsweep
