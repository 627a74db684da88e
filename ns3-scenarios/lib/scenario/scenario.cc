// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario.h"

#include "flows/assignment.h"
#include "flows/cross-traffic.h"
#include "flows/flow-parameters.h"
#include "flows/tcp-flow.h"
#include "network/streams.h"
#include "options/options.h"
#include "options/plugins.h"
#include "options/program.h"
#include "output/output-file.h"
#include "scenario/description.h"
#include "scenario/run-record.h"
#include "scenario/scenario-options.h"
#include "scenario/timing-wheel-scheduler.h"
#include "traces/animation.h"
#include "traces/bottleneck-trace.h"
#include "traces/capture.h"
#include "traces/flow-totals.h"
#include "traces/output-files.h"
#include "traces/packet-capture.h"
#include "traffic/traffic-kinds.h"

#include <ns3/global-value.h>
#include <ns3/random-variable-stream.h>
#include <ns3/simulator.h>
#include <ns3/string.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tcpsweep
{

namespace
{

const char* const RECORD_FILE = "run.json";
/// The last file that a simulation writes: where it is, all others are whole.
const char* const CHECKSUMS_FILE = "checksums.txt";
/// The ports of a host's first flow, as sender and as receiver; its other flows have those that
/// follow. The sender's is the first that ns-3 allocates by itself.
constexpr uint16_t FIRST_SOURCE_PORT = 49153;
constexpr uint16_t FIRST_DESTINATION_PORT = 5000;

/**
 * Give a flow whose path its network does not say the one across the bottleneck alone.
 *
 * @param[in,out] ends the flow's ends
 * @param p the parameters
 * @param direction its direction
 */
void
SetPath(FlowEnds& ends, const ScenarioParameters& p, Direction direction)
{
    if (ends.path.empty())
    {
        const auto& link = p.Bottleneck();
        const auto& way = direction == Direction::FORWARD ? link.forward : link.reverse;
        ends.path = {{link.name, direction, {way.bandwidth, way.delay}, way.jitter, link.Varies()}};
    }
}

/**
 * @param network the network
 * @param p the parameters
 * @param files where the flows' traces go
 * @param countUntil as in TcpFlow::Parameters
 * @return the flows, but for those that are left out: the others keep numbers, ports and draws
 */
std::vector<std::unique_ptr<TcpFlow>>
AddFlows(const Network& network,
         const ScenarioParameters& p,
         OutputFiles& files,
         std::optional<ns3::Time> countUntil)
{
    std::vector<std::unique_ptr<TcpFlow>> flows;
    std::map<uint32_t, uint16_t> sentAt;
    std::map<uint32_t, uint16_t> receivedAt;
    for (uint32_t i = 0; i < p.flows.size(); ++i)
    {
        FlowEnds ends = network.flows[i];
        const auto sent = sentAt[ends.sender->GetId()]++;
        const auto received = receivedAt[ends.receiver->GetId()]++;
        if (!p.flows[i].variant)
        {
            continue;
        }
        const auto draw = ns3::CreateObject<ns3::UniformRandomVariable>();
        draw->SetStream(StreamOf(Draw::START_JITTER, i));
        const auto jitter = ns3::Seconds(draw->GetValue(0, p.startJitter.GetSeconds()));
        TcpFlow::Parameters flow;
        flow.index = i;
        flow.group = p.flows[i].group;
        flow.sourcePort = static_cast<uint16_t>(FIRST_SOURCE_PORT + sent);
        flow.destinationPort = static_cast<uint16_t>(FIRST_DESTINATION_PORT + received);
        if (ends.settle)
        {
            ends.settle(ends, flow.sourcePort, flow.destinationPort);
        }
        SetPath(ends, p, p.flows[i].direction);
        flow.ends = ends;
        flow.variant = *p.flows[i].variant;
        if (p.flows[i].hasOwnStream)
        {
            flow.stream = StreamOf(Draw::CONGESTION_CONTROL, i);
        }
        flow.segmentBytes = p.segmentBytes;
        const auto& socket = p.flows[i].socket;
        flow.hasOwnBuffers = socket.bufferBytes.has_value();
        flow.socketBufferBytes = socket.bufferBytes.value_or(p.socketBufferBytes);
        flow.delayedAcks = socket.delayedAcks;
        flow.delayedAckTimeout = socket.delayedAckTimeout;
        flow.bytes = p.flows[i].bytes;
        flow.packetRate = p.flows[i].packetRate;
        flow.start = p.flows[i].start + jitter;
        flow.stop = p.flows[i].stop;
        // Beside its device, a node with one link has the loopback.
        flow.sharesSender = network.CountFlowsAt(ends.sender) > 1 || ends.sender->GetNDevices() > 2;
        flow.direction = p.flows[i].direction;
        flow.countUntil = countUntil;
        flows.push_back(std::make_unique<TcpFlow>(flow, files));
    }
    return flows;
}

/**
 * The time that a transfer takes at least: a handshake and the propagation of its first bit, its
 * bytes with the headers of each segment at the narrowest link, and at every other link one packet.
 * Slow start is not counted, as in the ideal completion times of data-centre papers (Alizadeh et
 * al., pFabric, SIGCOMM 2013; Li et al., HPCC, SIGCOMM 2019).
 *
 * @param way the links that it crosses
 * @param bytes its payload
 * @param segmentBytes payload of a full segment
 * @param wirePacketBytes bytes of a full segment on the wire
 * @return the time
 */
ns3::Time
TimeOnEmptyNetwork(const std::vector<Step>& way,
                   uint64_t bytes,
                   uint32_t segmentBytes,
                   uint32_t wirePacketBytes)
{
    const uint64_t segments = std::max<uint64_t>(1, (bytes + segmentBytes - 1) / segmentBytes);
    const uint32_t headers = wirePacketBytes - segmentBytes;
    const double wireBytes = static_cast<double>(bytes + segments * headers);
    const double packet = std::min<double>(static_cast<double>(wireBytes), wirePacketBytes);
    ns3::Time delays;
    double narrowest = 0;
    double packets = 0;
    for (const auto& step : way)
    {
        delays += step.is.delay;
        const double perByte = 8 / static_cast<double>(step.is.bandwidth.GetBitRate());
        packets += packet * perByte;
        narrowest = std::max(narrowest, perByte);
    }
    // A round trip for the handshake, whose packets are short, and the way of the data.
    return 3 * delays + ns3::Seconds((wireBytes - packet) * narrowest + packets);
}

/**
 * @param network the network
 * @param p the parameters
 * @return what gives the time that a transfer takes at least
 */
TimeAlone
MakeTimeAlone(const Network& network, const ScenarioParameters& p)
{
    std::unordered_map<uint32_t, std::string> names;
    for (const auto& [name, node] : network.nodes)
    {
        names[node->GetId()] = name;
    }
    return [names,
            way = network.way,
            &p,
            ways = std::map<std::pair<int32_t, int32_t>, std::vector<Step>>()](
               const Transfer& transfer) mutable -> std::optional<ns3::Time>
    {
        if (transfer.from < 0 || transfer.to < 0)
        {
            return std::nullopt;
        }
        const auto [found, isNew] = ways.try_emplace({transfer.from, transfer.to});
        if (isNew)
        {
            found->second = way(names.at(static_cast<uint32_t>(transfer.from)),
                                names.at(static_cast<uint32_t>(transfer.to)));
        }
        return TimeOnEmptyNetwork(found->second, transfer.bytes, p.segmentBytes, p.wirePacketBytes);
    };
}

/// The traffic beside the flows.
class AllTraffic
{
  public:
    /**
     * @param network the network
     * @param p the parameters
     * @param folder where the file of transfers goes, if there is traffic
     */
    AllTraffic(const Network& network,
               const ScenarioParameters& p,
               const std::filesystem::path& folder)
    {
        if (p.traffic.empty())
        {
            return;
        }
        m_rows.emplace(folder, MakeTimeAlone(network, p));
        const auto nodes = [&network](const std::vector<std::string>& names)
        {
            std::vector<TrafficNode> found;
            for (const auto& name : names)
            {
                found.push_back({name, network.nodes.at(name)});
            }
            return found;
        };
        for (const auto& group : p.traffic)
        {
            TrafficPlace place;
            place.number = static_cast<uint32_t>(m_groups.size());
            place.name = group.name;
            place.from = nodes(group.from);
            place.to = nodes(group.to);
            place.variant = group.variant;
            place.hasOwnStream = group.hasOwnStream;
            place.segmentBytes = p.segmentBytes;
            place.linkRate = group.linkRate;
            m_groups.push_back(MakeTraffic(group.kind, group.options, place, &*m_rows));
        }
    }

    /**
     * End the traffic and close its file.
     *
     * @param checksums gets the file's
     */
    void
    Close(Checksums& checksums)
    {
        for (const auto& group : m_groups)
        {
            group->Finish();
        }
        if (m_rows)
        {
            m_rows->Close(checksums);
        }
    }

    /// @param json where the traffic and its number of transfers go, as members
    void
    Write(JsonWriter& json) const
    {
        json.Key("traffic").BeginArray();
        for (const auto& group : m_groups)
        {
            group->Write(json);
        }
        json.EndArray();
        json.Member("transfers", m_rows ? m_rows->Rows() : 0);
    }

  private:
    std::optional<TransferRows> m_rows;             //!< their transfers
    std::vector<std::unique_ptr<Traffic>> m_groups; //!< the groups
};

/**
 * @param json where it goes, as the members of an object
 * @param p the parameters
 * @param options the options
 */
void
WriteDerived(JsonWriter& json, const ScenarioParameters& p, const Options& options)
{
    std::vector<double> baseRtts;
    for (const auto& flow : p.flows)
    {
        baseRtts.push_back(flow.baseRtt.GetSeconds());
    }
    const bool rotated = options.Has("flows") && IsRotated(options, FlowsDiffer(options));
    json.Member("assignment", rotated ? "rotated" : "fixed")
        .Member("base_rtt_s", baseRtts)
        .Member("socket_buffer_bytes", p.socketBufferBytes)
        .Member("start_jitter_s", p.startJitter.GetSeconds())
        .Member("wire_packet_bytes", p.wirePacketBytes)
        .Member("ip_header_bytes", IpHeaderBytes(p.ip));
}

/// The queues of all traced links, each in the directions that flows' data take.
class LinkTraces
{
  public:
    /**
     * @param links the traced links
     * @param end when the simulation ends
     * @param files where rows go
     */
    LinkTraces(const std::vector<TracedLink>& links, ns3::Time end, OutputFiles& files)
        : m_links(links),
          m_end(end)
    {
        for (const auto& link : links)
        {
            const auto trace = [&](const TracedWay& way, Direction direction, const Link& devices)
            {
                m_traces.push_back(way.isCrossed
                                       ? std::make_unique<BottleneckTrace>(
                                             devices,
                                             way.root,
                                             files.Queue({link.parameters.name, direction}))
                                       : nullptr);
            };
            trace(link.forward, Direction::FORWARD, link.link);
            trace(link.reverse, Direction::REVERSE, Link{link.link.right, link.link.left});
        }
    }

    /**
     * @param links the traced links
     * @return the queues whose events are written
     */
    static std::vector<TracedQueue>
    Queues(const std::vector<TracedLink>& links)
    {
        std::vector<TracedQueue> queues;
        for (const auto& link : links)
        {
            if (link.forward.isCrossed)
            {
                queues.push_back({link.parameters.name, Direction::FORWARD});
            }
            if (link.reverse.isCrossed)
            {
                queues.push_back({link.parameters.name, Direction::REVERSE});
            }
        }
        return queues;
    }

    /// @param json where the links go, as a list
    void
    Write(JsonWriter& json) const
    {
        json.BeginArray();
        for (std::size_t i = 0; i < m_links.size(); ++i)
        {
            const auto& p = m_links[i].parameters;
            json.BeginObject()
                .Member("link", p.name)
                .Member("left", p.left)
                .Member("right", p.right)
                .Member("bdp_bytes", p.bdpBytes);
            WriteOverTime(json, p.forward);
            WriteWay(json.Key("forward"), p, p.forward, m_links[i].forward, m_traces[2 * i].get());
            WriteWay(json.Key("reverse"),
                     p,
                     p.reverse,
                     m_links[i].reverse,
                     m_traces[2 * i + 1].get());
            json.EndObject();
        }
        json.EndArray();
    }

  private:
    /**
     * @param json where it goes, as a value
     * @param from since when a link has these values
     * @param bandwidth its rate
     * @param delay its one-way delay
     */
    static void
    WriteFrom(JsonWriter& json, ns3::Time from, ns3::DataRate bandwidth, ns3::Time delay)
    {
        json.BeginObject()
            .Member("from_s", from.GetSeconds())
            .Member("bandwidth_bps", bandwidth.GetBitRate())
            .Member("delay_s", delay.GetSeconds())
            .EndObject();
    }

    /**
     * @param json where its rates and delays go, as a member that is a list, each from its time on
     * @param way a direction of a link
     */
    void
    WriteOverTime(JsonWriter& json, const WayParameters& way) const
    {
        json.Key("over_time").BeginArray();
        auto bandwidth = way.bandwidth;
        auto delay = way.delay;
        const auto& schedule = way.change.schedule;
        const bool starts = !schedule.changes.empty() && schedule.changes.front().time.IsZero();
        if (!starts)
        {
            WriteFrom(json, ns3::Time(), bandwidth, delay);
        }
        for (ns3::Time begin; begin < m_end; begin += schedule.period)
        {
            for (const auto& change : schedule.changes)
            {
                bandwidth = change.bandwidth.value_or(bandwidth);
                delay = change.delay.value_or(delay);
                if (begin + change.time < m_end)
                {
                    WriteFrom(json, begin + change.time, bandwidth, delay);
                }
            }
            if (!schedule.period.IsStrictlyPositive())
            {
                break;
            }
        }
        json.EndArray();
    }

    /**
     * @param json where it goes, as a value
     * @param link a link
     * @param way one of its directions
     * @param made its discs and counts
     * @param trace its events; nullptr if no flows' data take it
     */
    void
    WriteWay(JsonWriter& json,
             const LinkParameters& link,
             const WayParameters& way,
             const TracedWay& made,
             const BottleneckTrace* trace) const
    {
        if (!trace)
        {
            json.Null();
            return;
        }
        json.BeginObject().Member("bandwidth_bps", way.bandwidth.GetBitRate());
        if (&way == &link.reverse &&
            !(link.sameSchedule && way.bandwidth == link.forward.bandwidth &&
              way.delay == link.forward.delay))
        {
            WriteOverTime(json, way);
        }
        // How much later than by its rate and delay a packet may arrive.
        const auto late =
            way.jitter + (way.change.reordering.IsOn() ? way.change.reordering.by : ns3::Time());
        json.Member("jitter_s", (way.change.trace ? m_end : late).GetSeconds());
        std::optional<ns3::QueueSize> size;
        std::optional<ns3::QueueSize> device;
        std::optional<std::string> disc;
        if (way.buffer)
        {
            size = way.buffer->size;
            if (way.buffer->hasDisc)
            {
                device = way.buffer->deviceSize;
                disc = way.buffer->disc.GetName();
            }
        }
        WriteSize(json, "queue", size);
        json.Member("queue_disc", disc);
        WriteSize(json, "device_queue", device);
        json.Member("has_trace", way.change.trace != nullptr);
        if (made.conditions)
        {
            json.Member("policed_packets", made.conditions->policedPackets)
                .Member("thinned_packets", made.conditions->thinnedPackets);
        }
        trace->Write(json);
        json.EndObject();
    }

    /**
     * @param json where it goes, as two members of an object
     * @param name how they begin
     * @param size a buffer's size; nothing if there is none
     */
    static void
    WriteSize(JsonWriter& json, const std::string& name, const std::optional<ns3::QueueSize>& size)
    {
        std::optional<uint32_t> packets;
        std::optional<uint32_t> bytes;
        if (size)
        {
            (size->GetUnit() == ns3::QueueSizeUnit::BYTES ? bytes : packets) = size->GetValue();
        }
        json.Member(name + "_packets", packets).Member(name + "_bytes", bytes);
    }

    const std::vector<TracedLink>& m_links; //!< the traced links
    ns3::Time m_end;                        //!< when the simulation ends
    std::vector<std::unique_ptr<BottleneckTrace>>
        m_traces; //!< two for each; nullptr if not crossed
};

/**
 * @param[in,out] items a list
 * @param more what is added to it
 */
template <typename Item>
void
Append(std::vector<Item>& items, const std::vector<Item>& more)
{
    items.insert(items.end(), more.begin(), more.end());
}

/**
 * @param[in,out] options options
 * @param name the name of one of them
 * @param value its new default
 */
void
SetDefault(std::vector<Option>& options, const std::string& name, const std::string& value)
{
    std::find_if(options.begin(),
                 options.end(),
                 [&name](const Option& option) { return option.name == name; })
        ->value = value;
}

/**
 * @param topology the scenario's own part
 * @param argc the number of arguments
 * @param argv the arguments
 */
void
Run(const Topology& topology, int argc, char** argv)
{
    const auto begin = std::chrono::steady_clock::now();
    // It orders events like ns-3's default, the map, but faster.
    ns3::GlobalValue::Bind("SchedulerType", ns3::StringValue("tcpsweep::TimingWheelScheduler"));
    LoadPlugins(argc, argv);
    auto declared = topology.isDescribed ? OptionsOfDescriptions() : ScenarioOptions();
    for (const auto& [name, value] : topology.defaults)
    {
        SetDefault(declared, name, value);
    }
    Append(declared, topology.options);
    Append(declared, Capture::DeclareOptions());
    auto owned = AttributesOfScenarioOptions();
    Append(owned, topology.attributes);
    Options options(declared,
                    topology.constants,
                    owned,
                    topology.isDescribed ? DescribedGroups() : std::vector<std::string>());
    options.Parse(argc, argv);
    const auto p =
        topology.isDescribed
            ? ReadDescription(options)
            : ScenarioParameters::FromOptions(options, topology.accessLinks, topology.ip);
    const auto capture = Capture::FromOptions(options);

    p.SetAttributes();
    // build() may refuse an option; no file may exist by then.
    const Network network = topology.build(p, options);
    // Those of an earlier simulation would make this one look finished.
    std::filesystem::remove(capture.folder / CHECKSUMS_FILE);
    std::filesystem::remove(capture.folder / RECORD_FILE);
    OutputFiles files(capture, LinkTraces::Queues(network.links));
    PacketCapture captures(capture, network.interfaces);
    std::optional<Animation> animation;
    if (capture.anim)
    {
        animation.emplace(capture.folder / "anim.xml", network.places);
    }
    const auto countUntil =
        capture.flowMonitor ? std::nullopt : std::optional(p.duration - FlowTotals::Patience());
    const auto flows = AddFlows(network, p, files, countUntil);
    auto cbrEnds = network.cbr;
    for (auto& ends : cbrEnds)
    {
        SetPath(ends, p, Direction::FORWARD);
    }
    const CrossTraffic cbr(p.cbr, cbrEnds);
    AllTraffic traffic(network, p, capture.folder);
    const LinkTraces links(network.links, p.duration, files);
    std::optional<FlowTotals> totals;
    if (capture.flowMonitor)
    {
        totals.emplace(capture.folder / "flow.xml", network.Hosts());
    }
    ns3::Simulator::Stop(p.duration);
    ns3::Simulator::Run();

    Checksums checksums;
    traffic.Close(checksums);
    files.Close(checksums);
    captures.Close(checksums);
    if (animation)
    {
        animation->Close(checksums);
    }
    if (totals)
    {
        totals->Write(checksums);
    }
    const RunRecord record{topology.name,
                           {argv + 1, argv + argc},
                           begin,
                           options,
                           [&p, &options](JsonWriter& json) { WriteDerived(json, p, options); },
                           flows,
                           [&cbr, &traffic, &links, &network](JsonWriter& json)
                           {
                               links.Write(json.Key("links"));
                               if (network.writeNodes)
                               {
                                   network.writeNodes(json.Key("nodes"));
                               }
                               cbr.Write(json.Key("cbr_flows"));
                               traffic.Write(json);
                           },
                           CollectSettings(flows, network.links),
                           files,
                           captures};
    record.Write(capture.folder / RECORD_FILE, checksums);
    checksums.Write(capture.folder / CHECKSUMS_FILE);
    ns3::Simulator::Destroy();
}

} // namespace

int
RunScenario(const Topology& topology, int argc, char** argv)
{
    return RunProgram(topology.name, [&] { Run(topology, argc, argv); });
}

} // namespace tcpsweep
