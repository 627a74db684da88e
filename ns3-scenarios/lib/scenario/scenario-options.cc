// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario-options.h"

#include "network/buffer.h"
#include "options/ns3-types.h"

#include <ns3/queue-disc.h>

namespace tcpsweep
{

std::vector<Option>
ScenarioOptions()
{
    return {
        ParameterOption(
            "variant",
            "Congestion control, an ns-3 TypeId without its ns3:: prefix; in A+B the flows take "
            "the variants in turn, and flows of the variant none are left out"),
        ParameterOption(
            "stack",
            "The TCP of flows: ns-3, or linux for that of the kernel in which the program runs"),
        ParameterOption("sysctls",
                        "Settings of Linux' TCP at the ends of its flows, comma-separated, such as "
                        "net.ipv4.tcp_reordering=10; none for the kernel's own"),
        ParameterOption("assignment",
                        "How a mix's variants are assigned to flows. fixed: the same in every run. "
                        "rotated: with each run number, each flow takes the next flow's variant. "
                        "auto: rotated if a list or start_stagger makes flows differ"),
        ParameterOption("bandwidth", "Rate of the bottleneck link"),
        ParameterOption("delay", "One-way propagation delay of the bottleneck link"),
        ParameterOption("loss",
                        "Probability of a random loss at the bottleneck link's receiver, per "
                        "packet or per byte (loss_unit)"),
        ParameterOption("loss_unit", "Whether loss is the probability per packet or per byte"),
        ParameterOption("loss_on", "Direction with losses: data, acks or both"),
        ParameterOption(
            "loss_burst",
            "Packets lost in a row; loss is still the share of all packets that are lost"),
        ParameterOption("loss_stream",
                        "ns-3's random stream for losses: own for one per direction, or one number "
                        "for both; -1 for the first that ns-3 numbers automatically"),
        ParameterOption(
            "flows",
            "Number of flows, each with its own sender and receiver; with L stations per side, "
            "flow i goes from station i mod L to station (i + floor(i / L)) mod L"),
        ParameterOption("reverse_flows",
                        "Number of additional flows from the receivers' side to the senders'"),
        ParameterOption(
            "access_bandwidth",
            "Rate of the senders' and receivers' links, one for all or one per flow in turn"),
        ParameterOption("access_delay",
                        "One-way delay of a sender's link, and of its receiver's, one for all or "
                        "one per flow in "
                        "turn"),
        ParameterOption("receiver_access_bandwidth",
                        "Rate of the receivers' links, or same as their senders', one for all or "
                        "one per flow in "
                        "turn"),
        ParameterOption("receiver_access_delay",
                        "One-way delay of a receiver's link, or same as its sender's, one for all "
                        "or one per flow "
                        "in turn"),
        ParameterOption(
            "queue",
            "Size of the bottleneck's buffer in packets, 100p, bytes, 64kB, or bandwidth-delay "
            "products, 1bdp"),
        ParameterOption(
            "queue_disc",
            "Queue disc of the bottleneck, an ns-3 TypeId without its ns3:: prefix, or none for a "
            "drop-tail device queue"),
        ParameterOption("device_queue",
                        "Size of the bottleneck device's queue below a queue disc, in packets, 1p, "
                        "or bytes, 3kB"),
        ParameterOption("ecn", "Whether TCP uses ECN and the queue disc marks, true or false"),
        ParameterOption("ecn_threshold",
                        "Threshold above which the queue disc marks every packet: a queue length "
                        "for RedQueueDisc (20p, 30kB, 0.2bdp), a packet's delay for discs of "
                        "CoDel's kind (1ms), or none for the disc's own rule"),
        ParameterOption("ip", "Version of IP of all nodes, 4 or 6"),
        ParameterOption("mtu", "Largest IP packet that each link carries"),
        ParameterOption("segment_size", "Payload of a full TCP segment"),
        ParameterOption("socket_buffer",
                        "Size of the sockets' send and receive buffers, or auto for the larger of "
                        "4 MiB and 4 * "
                        "(BDP + queue)"),
        ParameterOption("start",
                        "When a flow starts, before stagger and jitter, one time for all or one "
                        "per flow in turn"),
        ParameterOption(
            "stop",
            "When a flow stops, one time for all or one per flow in turn; 0s for never"),
        ParameterOption("start_stagger", "Flow i starts i times this later, plus its jitter"),
        ParameterOption("start_jitter",
                        "Each flow's start is delayed by a uniform random time from 0 to this; "
                        "auto is the larger of 1 s and 20 round trips"),
        ParameterOption("packet_jitter",
                        "Each packet on a sender's link is delayed by a uniform random time from 0 "
                        "to this many bottleneck packet times; packets keep their order"),
        ParameterOption(
            "bytes",
            "Bytes that a flow sends, one number for all or one per flow in turn; 0 for as many as "
            "the time allows"),
        ParameterOption("packet_rate",
                        "Packets of segment_size that a flow's application offers to TCP per "
                        "second from its start, one number for all or one per flow in turn; 0 for "
                        "as fast as TCP accepts them. Packets that TCP cannot take wait"),
        ParameterOption("sender_program",
                        "Command of a program that runs at each flow's sender instead of an "
                        "application of the simulator, with --stack=linux; none for no program. "
                        "{sender}, {receiver}, {port} and {seconds} are filled in"),
        ParameterOption("receiver_program",
                        "Command of a program that runs at each flow's receiver, as "
                        "sender_program; it starts first"),
        ParameterOption("cbr_flows",
                        "Number of UDP flows of a constant bit rate towards the receivers"),
        ParameterOption("cbr_rate", "UDP payload rate of each CBR flow"),
        ParameterOption("cbr_packet_size", "Payload of their packets"),
        ParameterOption("cbr_start", "When they begin"),
        ParameterOption("cbr_stop", "When they end; 0s for never"),
        ParameterOption("step_time", "When the bottleneck's rate or delay changes; 0s for never"),
        ParameterOption("step_bandwidth",
                        "Rate of the bottleneck link from step_time on, or none if it stays"),
        ParameterOption(
            "step_delay",
            "One-way delay of the bottleneck link from step_time on, or none if it stays"),
        ParameterOption("duration", "Simulated time"),
    };
}

std::vector<std::string>
AttributesOfScenarioOptions()
{
    std::vector<std::string> owned = {
        "ns3::TcpSocket::SegmentSize",
        "ns3::TcpSocket::SndBufSize",
        "ns3::TcpSocket::RcvBufSize",
        "ns3::TcpL4Protocol::SocketType",
        "ns3::TcpSocketBase::UseEcn",
        "ns3::BulkSendApplication::MaxBytes",
        "ns3::BulkSendApplication::SendSize",
        "ns3::PointToPointNetDevice::DataRate",
        "ns3::PointToPointNetDevice::Mtu",
        "ns3::PointToPointChannel::Delay",
        "ns3::DropTailQueue<Packet>::MaxSize",
        "ns3::RateErrorModel::ErrorRate",
        "ns3::RateErrorModel::ErrorUnit",
        "ns3::BurstErrorModel::ErrorRate",
        "ns3::BurstErrorModel::BurstSize",
        "ns3::OnOffApplication::DataRate",
        "ns3::OnOffApplication::PacketSize",
    };
    for (const auto& type : RegisteredTypes())
    {
        for (const auto attribute : Buffer::DISC_ATTRIBUTES)
        {
            if (IsUsableAs(type, ns3::QueueDisc::GetTypeId()) && HasAttribute(type, attribute))
            {
                owned.push_back(type.GetName() + "::" + attribute);
            }
        }
    }
    return owned;
}

} // namespace tcpsweep
