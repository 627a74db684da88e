// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/kernel-stack.h"

#include "flows/kernel-variants.h"
#include "kernel/kernel-flow.h"
#include "network/buffer.h"
#include "network/link.h"
#include "options/errors.h"
#include "options/ns3-types.h"
#include "options/values.h"

#include <ns3/ipv4-address.h>
#include <ns3/nstime.h>
#include <ns3/tcp-socket-base.h>
#include <ns3/tcp-socket.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace tcpsweep
{

namespace
{

const char* const STACK = "stack";
const char* const OF_NS3 = "ns-3";
const char* const OF_KERNEL = "linux";
constexpr uint32_t TCP_HEADER_BYTES = 20;

/**
 * @param text a stack
 * @return it
 */
std::string
ParseStack(const std::string& text)
{
    return ParseWord(text, {OF_NS3, OF_KERNEL});
}

/**
 * @param name an attribute of ns3::TcpSocketBase that is true or false
 * @return whether it is on
 */
bool
IsOn(const std::string& name)
{
    return ValueInForce(ns3::TcpSocketBase::GetTypeId(), name) == "true";
}

/**
 * @param p the parameters
 * @param options the options
 * @return what the hosts have other than by themselves
 */
KernelSettings
ReadKernelSettings(const ScenarioParameters& p, const Options& options)
{
    KernelSettings settings;
    settings.ecn = p.ecn;
    settings.sack = IsOn("Sack");
    settings.timestamps = IsOn("Timestamp");
    settings.windowScaling = IsOn("WindowScaling");
    if (options.Text("socket_buffer") != "auto")
    {
        settings.bufferBytes = p.socketBufferBytes;
    }
    if (options.Sets(ns3::TcpSocket::GetTypeId(), "InitialCwnd"))
    {
        settings.initialCwnd = static_cast<uint32_t>(
            std::stoul(ValueInForce(ns3::TcpSocket::GetTypeId(), "InitialCwnd")));
    }
    settings.mtuBytes = MtuBytes(p.ip);
    return settings;
}

/**
 * @param p the parameters
 * @return how late the simulation may be
 */
LagBounds
ReadBounds(const ScenarioParameters& p)
{
    auto roundTrip = p.duration;
    for (const auto& flow : p.flows)
    {
        roundTrip = std::min(roundTrip, flow.baseRtt);
    }
    auto drain = p.duration;
    for (const auto& link : p.links)
    {
        if (link.forward.buffer)
        {
            const double bits = 8.0 * InBytes(link.forward.buffer->size, p.wirePacketBytes);
            drain = std::min(
                drain,
                ns3::Seconds(bits / static_cast<double>(link.forward.bandwidth.GetBitRate())));
        }
    }
    return LagBounds::Of(roundTrip, drain);
}

} // namespace

bool
KernelStack::IsAskedFor(const Options& options)
{
    return options.Has(STACK) && options.As(STACK, ParseStack) == OF_KERNEL;
}

KernelStack::KernelStack(const Network& network,
                         const ScenarioParameters& p,
                         const Options& options)
    : m_bounds(ReadBounds(p)),
      m_optionBytes(p.wirePacketBytes - p.segmentBytes - PPP_HEADER_BYTES - IpHeaderBytes(p.ip) -
                    TCP_HEADER_BYTES)
{
    for (const auto& flow : p.flows)
    {
        if (flow.variant && KernelNameOf(*flow.variant).empty())
        {
            throw UsageError(
                "variant",
                "Linux has no " + flow.variant->GetName() +
                    "; docs/linux.md lists what it has, and linux:NAME is any of them");
        }
    }
    if (const auto& planned = options.Text("kernel");
        !planned.empty() && planned != KernelRelease())
    {
        throw UsageError("kernel",
                         "expected " + planned + "; this machine runs " + KernelRelease());
    }
    std::map<uint32_t, HostRequest> requests;
    std::map<uint32_t, ns3::Ptr<ns3::Node>> nodes;
    for (const auto& ends : network.flows)
    {
        for (const auto& node : {ends.sender, ends.receiver})
        {
            nodes[node->GetId()] = node;
            auto& request = requests[node->GetId()];
            request.address = ns3::Ipv4Address::ConvertFrom(AddressOf(node)).Get();
            ++request.streams;
        }
    }
    std::vector<HostRequest> inOrder;
    for (const auto& [node, request] : requests)
    {
        inOrder.push_back(request);
    }
    auto made = MakeKernelHosts(inOrder, ReadKernelSettings(p, options));
    m_settings = std::move(made.settings);
    m_clock = RealTime::Begin(m_bounds);
    auto next = made.hosts.begin();
    for (const auto& [id, node] : nodes)
    {
        auto& host = m_hosts[id];
        host.files = std::move(*next++);
        host.gate = OpenGate(node, host.files.tun.Get(), *m_clock);
    }
}

FlowHost
KernelStack::Take(ns3::Ptr<ns3::Node> node)
{
    auto& host = m_hosts.at(node->GetId());
    return {host.gate, std::move(host.files.streams.at(host.given++))};
}

std::unique_ptr<Flow>
KernelStack::MakeFlow(const Flow::Parameters& parameters, OutputFiles& files)
{
    auto sender = Take(parameters.ends.sender);
    auto receiver = Take(parameters.ends.receiver);
    return std::make_unique<KernelFlow>(parameters,
                                        m_optionBytes,
                                        files,
                                        std::move(sender),
                                        std::move(receiver));
}

void
KernelStack::End()
{
    m_clock->End();
    m_clock->Lags().Check(m_bounds);
}

void
KernelStack::Write(JsonWriter& json)
{
    json.Key("real_time").BeginObject();
    m_clock->Lags().Write(json, m_bounds);
    json.Member("has_priority", m_clock->HasPriority());
    uint64_t refused = 0;
    uint64_t given = 0;
    uint64_t taken = 0;
    for (const auto& [id, host] : m_hosts)
    {
        refused += host.gate->Refused();
        given += host.gate->GivenBytes();
        taken += host.gate->TakenBytes();
    }
    json.Member("refused_packets", refused)
        .Member("bytes_to_hosts", given)
        .Member("bytes_from_hosts", taken)
        .EndObject();
}

} // namespace tcpsweep
