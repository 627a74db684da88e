// SPDX-License-Identifier: GPL-2.0-only
#include "flows/flow-parameters.h"

#include "options/ns3-types.h"
#include "options/values.h"

#include <ns3/tcp-congestion-ops.h>

namespace tcpsweep
{

namespace
{

constexpr double LEAST_PACKET_RATE = 1e-6;

} // namespace

const char* const STREAM = "Stream";

std::vector<ns3::TypeId>
ParseVariants(const std::string& text)
{
    std::vector<ns3::TypeId> variants;
    for (const auto& name : Split(text, '+'))
    {
        variants.push_back(
            FindType(name, ns3::TcpCongestionOps::GetTypeId(), "congestion control"));
    }
    return variants;
}

std::vector<FlowParameters>
ReadFlows(const Options& options, ns3::Time delay, uint32_t accessLinks)
{
    const auto count =
        options.As("flows", [](const std::string& text) { return ParseCount(text, 1, 1000); });
    const auto reverse =
        options.As("reverse_flows",
                   [](const std::string& text) { return ParseCount(text, 0, 1000); });
    const auto variants = options.As("variant", ParseVariants);
    std::vector<ns3::DataRate> bandwidths(1);
    std::vector<ns3::Time> delays(1);
    if (accessLinks > 0)
    {
        bandwidths = options.ListAs("access_bandwidth", ParseRate);
        delays = options.ListAs("access_delay", ParseTime);
    }
    const auto bytes = options.ListAs("bytes",
                                      [](const std::string& text)
                                      { return ParseCount(text, 0, 1000000000000000); });
    const auto rates =
        options.ListAs("packet_rate",
                       [](const std::string& text)
                       {
                           // At a lower rate, the interval between packets would overflow ns-3's
                           // Time.
                           const double rate = ParseNumber(text, 0, 1000000);
                           if (rate > 0 && rate < LEAST_PACKET_RATE)
                           {
                               throw BadValue("0, or from 1e-6 to 1000000 packets/s", text);
                           }
                           return rate;
                       });
    const auto starts = options.ListAs("start", ParseTime);
    const auto stops = options.ListAs("stop", ParseTime);
    std::vector<FlowParameters> flows;
    for (uint64_t i = 0; i < count + reverse; ++i)
    {
        FlowParameters flow;
        flow.direction = i < count ? Direction::FORWARD : Direction::REVERSE;
        flow.variant = variants[i % variants.size()];
        flow.hasOwnStream =
            HasAttribute(flow.variant, STREAM) && !options.Sets(flow.variant, STREAM);
        flow.accessBandwidth = bandwidths[i % bandwidths.size()];
        flow.accessDelay = delays[i % delays.size()];
        flow.bytes = bytes[i % bytes.size()];
        flow.packetRate = rates[i % rates.size()];
        flow.start = starts[i % starts.size()];
        flow.stop = stops[i % stops.size()];
        flow.baseRtt = 2 * (delay + accessLinks * flow.accessDelay);
        if (flow.stop.IsStrictlyPositive() && flow.stop <= flow.start)
        {
            throw UsageError("stop",
                             "flow " + std::to_string(i) +
                                 " leaves before it joins; 0s lets it stay to the end");
        }
        flows.push_back(flow);
    }
    return flows;
}

} // namespace tcpsweep
