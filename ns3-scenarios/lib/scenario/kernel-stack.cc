// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/kernel-stack.h"

#include "flows/kernel-variants.h"
#include "flows/quic-variants.h"
#include "network/internet.h"
#include "network/link.h"
#include "options/errors.h"
#include "options/ns3-types.h"
#include "options/text.h"
#include "options/values.h"

#include <ns3/ipv4-address.h>
#include <ns3/ipv4.h>
#include <ns3/tcp-socket-base.h>
#include <ns3/tcp-socket.h>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <optional>
#include <set>
#include <string>
#include <tuple>
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
/// The protocols that programs may use.
const std::vector<uint8_t> PROGRAMS_PROTOCOLS = {TCP_PROTOCOL, UDP_PROTOCOL, ICMP_PROTOCOL};
/// The age of the kernel when a simulation begins. The same simulation then has the same times on
/// all machines: before it, programs read the kernel's clock on some machines more often than on
/// others, and each reading takes time. On usual machines, the monotonic clock is never 0 s, so
/// that programs such as ping take 0 s as a time that was not set.
const ns3::Time UPTIME = ns3::Seconds(100);
/// The time that programs have to end.
const ns3::Time PATIENCE = ns3::Seconds(1);

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
 * @param text sysctls as name=value, comma-separated, with colons in a value for spaces; or none
 * @return their names and values
 */
std::vector<std::pair<std::string, std::string>>
ParseSysctls(const std::string& text)
{
    std::vector<std::pair<std::string, std::string>> found;
    for (const auto& part : text == "none" ? std::vector<std::string>() : Split(text, ','))
    {
        const auto equals = part.find('=');
        if (equals == std::string::npos || !StartsWith(part, "net.ipv4.tcp_"))
        {
            throw UsageError("sysctls", "expected net.ipv4.tcp_NAME=VALUE or none; got " + part);
        }
        auto value = part.substr(equals + 1);
        std::replace(value.begin(), value.end(), ':', ' ');
        found.emplace_back(part.substr(0, equals), value);
    }
    return found;
}

/**
 * @param p the parameters
 * @param options the options
 * @return the hosts' settings that differ from the kernel's defaults
 */
KernelSettings
ReadKernelSettings(const ScenarioParameters& p, const Options& options)
{
    KernelSettings settings;
    settings.ecn = p.ecn;
    settings.sack = IsOn("Sack");
    settings.timestamps = IsOn("Timestamp");
    settings.windowScaling = IsOn("WindowScaling");
    if (options.Sets(ns3::TcpSocket::GetTypeId(), "InitialCwnd"))
    {
        settings.initialCwnd = static_cast<uint32_t>(
            std::stoul(ValueInForce(ns3::TcpSocket::GetTypeId(), "InitialCwnd")));
    }
    settings.sysctls = ParseSysctls(options.Text("sysctls"));
    return settings;
}

/**
 * @param p the parameters
 * @param options the options
 * @param flow a flow of the kernel
 * @return the size of its sockets' buffers; nothing for the kernel's defaults
 */
std::optional<uint32_t>
KernelBufferOf(const ScenarioParameters& p, const Options& options, const FlowParameters& flow)
{
    if (flow.socket.bufferBytes || options.Text("socket_buffer") == "auto")
    {
        return flow.socket.bufferBytes;
    }
    return p.socketBufferBytes;
}

/**
 * @param flow a flow of the kernel's
 * @throws UsageError the kernel has no such variant, or no such habit
 */
void
CheckFlow(const FlowParameters& flow)
{
    const auto own = [&flow](const std::string& field)
    {
        return (flow.group.empty() ? "" : "flows." + flow.group + ".") + field;
    };
    if (KernelNameOf(*flow.variant).empty())
    {
        throw UsageError(
            own("variant"),
            "Linux has no " + flow.variant->GetName() +
                "; docs/features/linux.md lists what it has, and linux:NAME is any of them");
    }
    for (const auto& [isGiven, field] :
         {std::pair(flow.socket.delayedAcks.has_value(), "delayed_acks"),
          std::pair(flow.socket.delayedAckTimeout.has_value(), "delayed_ack_timeout")})
    {
        if (isGiven)
        {
            throw UsageError(own(field), "Linux decides by itself when it acknowledges");
        }
    }
}

/**
 * @param network the network
 * @param p the parameters
 * @throws UsageError a host of programs has other flows
 */
void
CheckPrograms(const Network& network, const ScenarioParameters& p)
{
    std::set<ns3::Ptr<ns3::Node>> hosts;
    std::set<std::pair<ns3::Ptr<ns3::Node>, ns3::Ptr<ns3::Node>>> pairs;
    const auto refuse = [](const std::string& group, const std::string& message)
    {
        throw UsageError((group.empty() ? "" : "flows." + group + ".") + "sender_program", message);
    };
    for (std::size_t i = 0; i < p.flows.size(); ++i)
    {
        const auto& [flow, ends] = std::tie(p.flows[i], network.flows[i]);
        if (!flow.variant || !flow.programs.Any())
        {
            continue;
        }
        if (!pairs.emplace(ends.sender, ends.receiver).second)
        {
            refuse(flow.group, "two flows of programs have the same sender and receiver");
        }
        hosts.insert({ends.sender, ends.receiver});
    }
    const auto check = [&hosts, &refuse](ns3::Ptr<ns3::Node> node, const std::string& name)
    {
        if (hosts.count(node))
        {
            refuse("", "the hosts of programs have no other flows or traffic; got " + name);
        }
    };
    for (std::size_t i = 0; i < p.flows.size(); ++i)
    {
        if (p.flows[i].variant && !p.flows[i].programs.Any())
        {
            check(network.flows[i].sender, p.flows[i].group);
            check(network.flows[i].receiver, p.flows[i].group);
        }
    }
    for (const auto& group : p.traffic)
    {
        for (const auto* names : {&group.from, &group.to})
        {
            for (const auto& name : *names)
            {
                check(network.nodes.at(name), group.name);
            }
        }
    }
}

} // namespace

bool
KernelStack::IsAskedFor(const Options& options, const ScenarioParameters& p)
{
    const bool forAll = options.Has(STACK) && options.As(STACK, ParseStack) == OF_KERNEL;
    bool forAny = forAll;
    for (const auto& flow : p.flows)
    {
        const bool isKernels = forAll || (flow.variant && IsKernels(*flow.variant));
        forAny = forAny || isKernels;
        if (flow.variant && flow.programs.Any() && !isKernels)
        {
            throw UsageError("sender_program", "programs need --stack=linux");
        }
    }
    for (const auto& group : p.traffic)
    {
        // Calls go over UDP.
        if (group.kind != "realtime" && (forAll || IsKernels(group.variant)))
        {
            throw UsageError("traffic." + group.name + ".kind",
                             group.kind + " always uses ns-3's TCP: leave --stack at ns-3, and "
                                          "give flows variants such as linux:cubic");
        }
    }
    return forAny;
}

KernelStack::KernelStack(const Network& network,
                         const ScenarioParameters& p,
                         const Options& options)
    : m_isForAll(options.As(STACK, ParseStack) == OF_KERNEL),
      m_optionBytes(p.WireBytes(0) - PPP_HEADER_BYTES - IpHeaderBytes(p.ip) - TCP_HEADER_BYTES),
      m_duration(p.duration)
{
    CheckPrograms(network, p);
    std::map<uint32_t, HostRequest> requests;
    std::map<uint32_t, ns3::Ptr<ns3::Node>> nodes;
    for (std::size_t i = 0; i < p.flows.size(); ++i)
    {
        const auto& flow = p.flows[i];
        if (!flow.variant || !Has(*flow.variant))
        {
            continue;
        }
        if (network.writeNodes)
        {
            throw UsageError("variant",
                             "ns-3 has no " + KernelNameOf(*flow.variant) +
                                 " of Linux, which needs a wired scenario");
        }
        if (p.ip != Ip::V4)
        {
            throw UsageError("ip", "Linux' hosts have IPv4 only; got 6");
        }
        CheckFlow(flow);
        const auto buffer = KernelBufferOf(p, options, flow);
        for (const auto& node : {network.flows[i].sender, network.flows[i].receiver})
        {
            auto& request = requests[node->GetId()];
            if (nodes.try_emplace(node->GetId(), node).second)
            {
                request.address = ns3::Ipv4Address::ConvertFrom(AddressOf(node)).Get();
                request.bufferBytes = buffer;
                request.mtuBytes = node->GetObject<ns3::Ipv4>()->GetMtu(FIRST_LINK);
                request.segmentBytes = flow.segmentBytes + m_optionBytes;
            }
            request.segmentBytes =
                std::min(request.segmentBytes, flow.segmentBytes + m_optionBytes);
            if (request.bufferBytes != buffer)
            {
                throw UsageError(std::string("flows.") + flow.group + ".socket_buffer",
                                 "all flows of one of Linux' hosts have the same");
            }
            if (flow.programs.Any())
            {
                const auto control = KernelNameOf(*flow.variant);
                if (!request.control.empty() && request.control != control)
                {
                    throw UsageError(std::string("flows.") + flow.group + ".variant",
                                     "all programs of one host have the same");
                }
                request.control = control;
            }
            else
            {
                ++request.streams;
            }
        }
    }
    if (const auto& planned = options.Text("kernel"); planned != KernelRelease())
    {
        throw UsageError("kernel",
                         "Linux' TCP needs a kernel in virtual time, and its release here; got '" +
                             planned + "' in the kernel " + KernelRelease());
    }
    std::vector<HostRequest> inOrder;
    for (const auto& [node, request] : requests)
    {
        inOrder.push_back(request);
    }
    const auto settings = ReadKernelSettings(p, options);
    auto made = MakeKernelHosts(inOrder, settings);
    m_settings = std::move(made.settings);
    const bool hasPrograms = std::any_of(inOrder.begin(),
                                         inOrder.end(),
                                         [](const auto& each) { return !each.control.empty(); });
    if (hasPrograms)
    {
        HostProgram::Provide(options.Text("program_folder"));
    }
    m_clock = VirtualTime::Begin(UPTIME);
    auto next = made.hosts.begin();
    for (const auto& [id, node] : nodes)
    {
        auto& host = m_hosts[id];
        host.files = std::move(*next++);
        const bool hasPrograms = static_cast<bool>(host.files.network);
        host.gates =
            OpenGates(node,
                      host.files.tun.Get(),
                      *m_clock,
                      hasPrograms ? PROGRAMS_PROTOCOLS : std::vector<uint8_t>{TCP_PROTOCOL});
        for (const auto& gate : host.gates)
        {
            if (hasPrograms)
            {
                gate->TakeAll();
            }
        }
    }
}

bool
KernelStack::Has(ns3::TypeId variant) const
{
    return (m_isForAll && !QuicVariantOf(variant)) || IsKernels(variant);
}

FlowHost
KernelStack::Take(ns3::Ptr<ns3::Node> node)
{
    auto& host = m_hosts.at(node->GetId());
    return {host.gates.front(), std::move(host.files.streams.at(host.given++))};
}

std::unique_ptr<Flow>
KernelStack::MakeFlow(const Flow::Parameters& parameters,
                      OutputFiles& files,
                      const std::filesystem::path& folder)
{
    if (parameters.programs.Any())
    {
        return std::make_unique<ProgramFlow>(parameters, files, MakePrograms(parameters, folder));
    }
    auto sender = Take(parameters.ends.sender);
    auto receiver = Take(parameters.ends.receiver);
    return std::make_unique<KernelFlow>(parameters,
                                        m_optionBytes,
                                        files,
                                        std::move(sender),
                                        std::move(receiver));
}

ProgramFlow::Ends
KernelStack::MakePrograms(const Flow::Parameters& parameters, const std::filesystem::path& folder)
{
    const auto& ends = parameters.ends;
    const auto until = parameters.stop.IsZero() ? m_duration : parameters.stop;
    const auto seconds = (until - parameters.start - PATIENCE).GetSeconds();
    const auto make = [&](ns3::Ptr<ns3::Node> node, std::string command, const std::string& end)
    {
        if (command.empty())
        {
            return std::shared_ptr<HostProgram>();
        }
        for (const auto& [name, value] :
             {std::pair("{sender}", Text(AddressOf(ends.sender))),
              std::pair("{receiver}", Text(AddressOf(ends.receiver))),
              std::pair("{port}", std::to_string(parameters.destinationPort)),
              std::pair("{seconds}", std::to_string(std::max(1L, static_cast<long>(seconds))))})
        {
            const std::string placeholder = name;
            for (std::size_t at = 0; (at = command.find(placeholder, at)) != std::string::npos;)
            {
                command.replace(at, placeholder.size(), value);
            }
        }
        m_programs.push_back(std::make_shared<HostProgram>(
            m_hosts.at(node->GetId()).files.network.Get(),
            command,
            folder / ("program-" + std::to_string(parameters.index) + "-" + end)));
        return m_programs.back();
    };
    return {make(ends.sender, parameters.programs.sender, "sender"),
            make(ends.receiver, parameters.programs.receiver, "receiver")};
}

void
KernelStack::End(Checksums& checksums)
{
    m_clock->End();
    for (const auto& program : m_programs)
    {
        program->Terminate();
    }
    const auto isAnyRunning = [this]
    {
        return std::any_of(m_programs.begin(),
                           m_programs.end(),
                           [](const auto& each) { return each->IsRunning(); });
    };
    const timespec step{0, NANOSECONDS_PER_S / 100};
    for (const auto end = ReadClock() + PATIENCE.GetNanoSeconds();
         isAnyRunning() && ReadClock() < end;)
    {
        nanosleep(&step, nullptr);
    }
    for (const auto& program : m_programs)
    {
        program->Kill();
        program->Close(checksums);
    }
}

void
KernelStack::Write(JsonWriter& json)
{
    json.Key("virtual_time").BeginObject();
    m_clock->Write(json);
    uint64_t refused = 0;
    uint64_t given = 0;
    uint64_t taken = 0;
    for (const auto& [id, host] : m_hosts)
    {
        for (const auto& gate : host.gates)
        {
            refused += gate->Refused();
            given += gate->GivenBytes();
            taken += gate->TakenBytes();
        }
    }
    json.Member("refused_packets", refused)
        .Member("bytes_to_hosts", given)
        .Member("bytes_from_hosts", taken)
        .EndObject();
}

} // namespace tcpsweep
