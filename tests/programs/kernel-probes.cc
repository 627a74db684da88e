// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/corrections.h"
#include "kernel/kernel-gate.h"
#include "kernel/kernel-hosts.h"
#include "kernel/real-time.h"
#include "network/internet.h"
#include "options/options.h"
#include "options/program.h"
#include "scenario/bounds-of-lag.h"
#include "scenario/description.h"
#include "scenario/wired-network.h"
#include "traces/capture.h"

#include <ns3/nstime.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <iterator>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <time.h>
#include <unistd.h>
#include <vector>

/**
 * @file
 * Sends UDP packets between sockets of this machine's kernel through a described network:
 * `kernel-probes OPTIONS…`, the options of `network`. In place of each flow, its sender sends
 * packet_rate packets of segment_size bytes in a second, all but the last half second of the
 * duration. A line for each packet: the flow, the packet's number, when it was sent, and when the
 * receiver's kernel got it, both in nanoseconds; 0 for never. It ends with status 3 if the
 * simulator was too late, or nobody had time to send, or to look for what the kernel got. Half of
 * all lags are at most twice their mean, so a median delay shows little of them.
 */

namespace
{

using namespace tcpsweep;

constexpr uint16_t PORT = 5000;
constexpr int64_t SECOND = 1000000000;
constexpr int64_t HALF_A_SECOND = SECOND / 2;
constexpr int64_t LATE = SECOND / 5;
constexpr int NO_TIME = 3;
const auto MEAN_LAG = ns3::MicroSeconds(100);

/// A flow of packets.
struct Probe
{
    int sender;                    //!< its socket
    int receiver;                  //!< the other's
    sockaddr_in to;                //!< the destination
    int64_t gap;                   //!< between two packets, in nanoseconds
    uint32_t bytes;                //!< a packet's payload
    std::vector<int64_t> sent;     //!< when each was sent
    std::vector<int64_t> received; //!< when each came; 0 for never
};

/// @return the time of day in nanoseconds
int64_t
Now()
{
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * SECOND + now.tv_nsec;
}

/**
 * @param failed whether a call failed
 * @param what the purpose of the call
 */
void
ThrowIf(bool failed, const char* what)
{
    if (failed)
    {
        throw std::system_error(errno, std::generic_category(), what);
    }
}

/**
 * Note all that has come.
 *
 * @param[in,out] probe a flow
 * @return whether all fit into the socket
 */
bool
Read(Probe& probe)
{
    while (true)
    {
        uint64_t number = 0;
        iovec part{&number, sizeof number};
        alignas(cmsghdr) char control[256];
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        if (recvmsg(probe.receiver, &message, 0) < 0)
        {
            return true;
        }
        for (auto* each = CMSG_FIRSTHDR(&message); each; each = CMSG_NXTHDR(&message, each))
        {
            if (each->cmsg_type == SCM_TIMESTAMPNS)
            {
                timespec time{};
                std::memcpy(&time, CMSG_DATA(each), sizeof time);
                probe.received.at(number) = time.tv_sec * SECOND + time.tv_nsec;
            }
            else if (each->cmsg_type == SO_RXQ_OVFL)
            {
                return false;
            }
        }
    }
}

/**
 * The main function of a process next to the simulator.
 *
 * @param probes the flows
 * @param duration the duration, in nanoseconds
 * @return its status
 */
int
SendAll(std::vector<Probe>& probes, int64_t duration)
{
    const auto begin = Now();
    const auto end = begin + duration;
    while (Now() < end)
    {
        auto next = end;
        for (auto& probe : probes)
        {
            const auto due = begin + static_cast<int64_t>(probe.sent.size()) * probe.gap;
            if (due <= Now() && due < end - HALF_A_SECOND)
            {
                if (Now() - due > LATE)
                {
                    return NO_TIME;
                }
                std::vector<char> data(probe.bytes);
                const uint64_t number = probe.sent.size();
                std::memcpy(data.data(), &number, sizeof number);
                probe.sent.push_back(Now());
                probe.received.push_back(0);
                ThrowIf(sendto(probe.sender,
                               data.data(),
                               data.size(),
                               0,
                               reinterpret_cast<const sockaddr*>(&probe.to),
                               sizeof probe.to) < 0,
                        "sending");
            }
            next = std::min(next, begin + static_cast<int64_t>(probe.sent.size()) * probe.gap);
            if (!Read(probe))
            {
                return NO_TIME;
            }
        }
        const auto left = std::clamp<int64_t>(next - Now(), 0, SECOND / 100);
        const timespec rest{0, left};
        nanosleep(&rest, nullptr);
    }
    for (std::size_t flow = 0; flow < probes.size(); ++flow)
    {
        for (std::size_t i = 0; i < probes[flow].sent.size(); ++i)
        {
            std::cout << flow << ' ' << i << ' ' << probes[flow].sent[i] << ' '
                      << probes[flow].received[i] << '\n';
        }
    }
    std::cout.flush();
    return std::cout ? 0 : 1;
}

/**
 * @param flow a flow's parameters
 * @param p all parameters
 * @param sender its sender's host
 * @param receiver its receiver's
 * @param to the receiver's address
 * @return its probes
 */
Probe
MakeProbe(const FlowParameters& flow,
          const ScenarioParameters& p,
          const HostFiles& sender,
          const HostFiles& receiver,
          uint32_t to)
{
    Probe probe{sender.datagrams.front().Get(),
                receiver.datagrams.front().Get(),
                {},
                static_cast<int64_t>(SECOND / flow.packetRate),
                p.segmentBytes,
                {},
                {}};
    probe.to.sin_family = AF_INET;
    probe.to.sin_port = htons(PORT);
    probe.to.sin_addr.s_addr = htonl(to);
    ThrowIf(bind(probe.receiver, reinterpret_cast<const sockaddr*>(&probe.to), sizeof probe.to) < 0,
            "binding");
    const int on = 1;
    const int large = 1 << 22;
    setsockopt(probe.receiver, SOL_SOCKET, SO_RCVBUF, &large, sizeof large);
    ThrowIf(setsockopt(probe.receiver, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) < 0, "timing");
    ThrowIf(setsockopt(probe.receiver, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on) < 0, "counting");
    return probe;
}

/**
 * @param argc the number of arguments
 * @param argv the arguments
 */
void
Run(int argc, char** argv)
{
    auto declared = OptionsOfDescriptions();
    const auto captures = Capture::DeclareOptions();
    declared.insert(declared.end(), captures.begin(), captures.end());
    declared.push_back(Corrections::DeclareOption());
    Options options(declared, {}, {}, DescribedGroups());
    options.Parse(argc, argv);
    const auto p = ReadDescription(options);
    WiredNetwork wired{p.links};
    std::vector<const FlowParameters*> flows;
    for (const auto& flow : p.flows)
    {
        wired.flows.push_back({flow.from, flow.to});
        flows.push_back(&flow);
    }
    const auto network = BuildWired(wired, {});
    std::vector<ns3::Ptr<ns3::Node>> nodes;
    std::vector<HostRequest> requests;
    for (const auto& ends : network.flows)
    {
        for (const auto& node : {ends.sender, ends.receiver})
        {
            nodes.push_back(node);
            const auto address = ns3::Ipv4Address::ConvertFrom(AddressOf(node)).Get();
            requests.push_back({address, 0, 1, {}});
        }
    }
    const auto made = MakeKernelHosts(requests, {});
    std::vector<Probe> probes;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        probes.push_back(MakeProbe(*flows[i],
                                   p,
                                   made.hosts[2 * i],
                                   made.hosts[2 * i + 1],
                                   requests[2 * i + 1].address));
    }
    auto bounds = BoundsOfLag(p, flows);
    bounds.mean = std::min(bounds.mean, MEAN_LAG);
    const auto clock = RealTime::Begin(bounds);
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        OpenGates(nodes[i], made.hosts[i].tun.Get(), *clock, {UDP_PROTOCOL})
            .front()
            ->Visit(PORT, {[](const auto&) {}, [](const auto&) {}});
    }
    ns3::Simulator::Stop(p.duration);
    const auto child = fork();
    ThrowIf(child < 0, "starting the process that sends");
    if (child == 0)
    {
        _exit(SendAll(probes, p.duration.GetNanoSeconds()));
    }
    ns3::Simulator::Run();
    clock->End();
    int status = 0;
    waitpid(child, &status, 0);
    clock->Lags().Check(bounds);
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_TIME)
    {
        throw TryAgain("the process that sends had no time");
    }
    if (status != 0)
    {
        throw std::runtime_error("the process that sends failed");
    }
    ns3::Simulator::Destroy();
}

} // namespace

int
main(int argc, char** argv)
{
    return tcpsweep::RunProgram("kernel-probes", [argc, argv] { Run(argc, argv); });
}
