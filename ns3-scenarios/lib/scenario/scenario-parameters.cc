// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario-parameters.h"

#include "corrections/bbr-gains.h"
#include "flows/variant-socket-factory.h"
#include "options/ns3-types.h"
#include "options/values.h"

#include <ns3/codel-queue-disc.h>
#include <ns3/config.h>
#include <ns3/string.h>
#include <ns3/tcp-bbr.h>
#include <ns3/tcp-socket-base.h>
#include <ns3/tcp-socket-state.h>
#include <ns3/uinteger.h>

#include <algorithm>
#include <limits>

namespace tcpsweep
{

namespace
{

/// The largest receive window that TCP can advertise: RFC 7323, section 2.3.
constexpr uint64_t LARGEST_WINDOW_BYTES = uint64_t{65535} << 14;

/**
 * @param ip which IP
 * @return bytes that IP and TCP add to a segment's payload, with the options that ns-3 sends on
 * every segment
 */
uint32_t
HeaderBytes(Ip ip)
{
    const bool timestamps = ValueInForce(ns3::TcpSocketBase::GetTypeId(), "Timestamp") == "true";
    return IpHeaderBytes(ip) + 20 + (timestamps ? 12 : 0);
}

/**
 * @param text auto or a number of bytes
 * @param segmentBytes payload of a full segment
 * @param pathBytes the most bytes that fit into any link and its buffer
 * @return the size of the sockets' buffers
 */
uint32_t
ReadSocketBuffer(const std::string& text, uint32_t segmentBytes, uint64_t pathBytes)
{
    if (text == "auto")
    {
        return static_cast<uint32_t>(
            std::min(std::max(uint64_t{4} << 20, 4 * pathBytes), LARGEST_WINDOW_BYTES));
    }
    const uint64_t bytes = ParseBytes(text);
    if (bytes < segmentBytes || bytes > std::numeric_limits<uint32_t>::max())
    {
        throw BadValue("auto, or from one segment to 4294967295 bytes", text);
    }
    return static_cast<uint32_t>(bytes);
}

/**
 * @param link a link
 * @param wirePacketBytes bytes of a full segment on the wire
 * @return the bytes that fit into it and its buffers
 */
uint64_t
CapacityBytes(const LinkParameters& link, uint32_t wirePacketBytes)
{
    uint64_t queued = 0;
    for (const auto* way : {&link.forward, &link.reverse})
    {
        if (way->buffer)
        {
            queued = std::max(queued, InBytes(way->buffer->size, wirePacketBytes));
        }
    }
    return static_cast<uint64_t>(link.bdpBytes) + queued;
}

/**
 * ns-3 paces no flow faster than MaxPacingRate (default: 4 Gbit/s). BBR's first rates are 2.89
 * times its estimate of the bottleneck's rate. Other variants pace at most at twice their rate, if
 * an option enables pacing. So four times the rate of the fastest link with a queue limits no
 * variant.
 *
 * @param options the options
 * @param links the links
 * @return the rate; nothing if the command line sets it or ns-3's default is no limit
 */
std::optional<ns3::DataRate>
FindMaxPacingRate(const Options& options, const std::vector<LinkParameters>& links)
{
    const auto type = ns3::TcpSocketState::GetTypeId();
    uint64_t fastest = 0;
    for (const auto& link : links)
    {
        if (link.IsTraced())
        {
            for (const auto* way : {&link.forward, &link.reverse})
            {
                fastest = std::max(fastest, way->bandwidth.GetBitRate());
                for (const auto& change : way->change.schedule.changes)
                {
                    fastest =
                        std::max(fastest, change.bandwidth.value_or(way->bandwidth).GetBitRate());
                }
            }
        }
    }
    const ns3::DataRate needed(4 * std::min(fastest, std::numeric_limits<uint64_t>::max() / 4));
    if (options.Sets(type, "MaxPacingRate") ||
        needed <= ns3::DataRate(ValueInForce(type, "MaxPacingRate")))
    {
        return std::nullopt;
    }
    return needed;
}

/**
 * CoDel drops nothing while at most this many bytes wait: in Linux, a packet of the device's MTU
 * (codel_params in include/net/codel.h). ns-3 has 1500 bytes.
 *
 * @param options the options
 * @param links the links
 * @return the bytes; nothing if the command line sets them or ns-3's default is enough
 */
std::optional<uint32_t>
FindCodelBytes(const Options& options, const std::vector<LinkParameters>& links)
{
    uint32_t largest = 0;
    for (const auto& link : links)
    {
        largest = std::max(largest, link.mtuBytes);
    }
    const auto type = ns3::CoDelQueueDisc::GetTypeId();
    if (options.Sets(type, "MinBytes") || largest <= std::stoul(ValueInForce(type, "MinBytes")))
    {
        return std::nullopt;
    }
    return largest;
}

/**
 * @param options the options
 * @param flows the flows
 * @param corrections the corrections
 * @throws UsageError if the command line sets gains that ns-3's own BBR does not have
 */
void
CheckBbrGains(const Options& options,
              const std::vector<FlowParameters>& flows,
              const Corrections& corrections)
{
    const bool isNs3s =
        !corrections.bbr &&
        std::any_of(flows.begin(),
                    flows.end(),
                    [](const auto& flow) { return flow.variant == ns3::TcpBbr::GetTypeId(); });
    const auto type = BbrGains::GetTypeId();
    for (const auto& [attribute, value] : ValuesInForce(type))
    {
        if (isNs3s && options.Sets(type, attribute))
        {
            throw UsageError(type.GetName() + "::" + attribute,
                             "needs the correction bbr: ns-3's own BBR has only HighGain");
        }
    }
}

/**
 * @param flows flows
 * @return whether one of them has DCTCP
 */
bool
HaveDctcp(const std::vector<FlowParameters>& flows)
{
    return std::any_of(flows.begin(),
                       flows.end(),
                       [](const auto& flow)
                       { return flow.variant && flow.variant->GetName() == "ns3::TcpDctcp"; });
}

} // namespace

void
ScenarioParameters::ReadCommon(const Options& options)
{
    ip = options.As("ip",
                    [](const std::string& text)
                    { return ParseWord(text, {"4", "6"}) == "4" ? Ip::V4 : Ip::V6; });
    uint32_t mtu = 0;
    for (const auto& link : links)
    {
        mtu = std::max(mtu, link.mtuBytes);
        if (ip == Ip::V6 && link.mtuBytes < LEAST_MTU_OF_IPV6)
        {
            throw UsageError(options.Has("mtu") ? "mtu" : "links." + link.name + ".mtu",
                             "IPv6 needs links that carry " + std::to_string(LEAST_MTU_OF_IPV6) +
                                 " bytes or more; got " + std::to_string(link.mtuBytes));
        }
    }
    segmentBytes = options.As(
        "segment_size",
        [mtu, headers = HeaderBytes(ip)](const std::string& text)
        {
            const uint64_t bytes = ParseCount(text, 1, 65000);
            if (bytes + headers > mtu)
            {
                throw BadValue("at most " + std::to_string(mtu - headers) +
                                   " bytes, so that no packet is larger than the link's MTU of " +
                                   std::to_string(mtu),
                               text);
            }
            return static_cast<uint32_t>(bytes);
        });
    wirePacketBytes = segmentBytes + HeaderBytes(ip) + PPP_HEADER_BYTES;
    duration = options.As("duration", ParseDuration);
    corrections = options.As("corrections", Corrections::Parse);
}

void
ScenarioParameters::ReadConsequences(const Options& options)
{
    ns3::Time longest;
    for (const auto& flow : flows)
    {
        longest = std::max(longest, flow.baseRtt);
    }
    uint64_t largest = 0;
    for (const auto& link : links)
    {
        if (link.IsTraced())
        {
            largest = std::max(largest, CapacityBytes(link, wirePacketBytes));
        }
    }
    socketBufferBytes = options.As("socket_buffer",
                                   [&](const std::string& text)
                                   { return ReadSocketBuffer(text, segmentBytes, largest); });
    startJitter = options.As(
        "start_jitter",
        [&longest](const std::string& text)
        { return text == "auto" ? std::max(ns3::Seconds(1), 20 * longest) : ParseTime(text); });
    maxPacingRate = FindMaxPacingRate(options, links);
    codelBytes = FindCodelBytes(options, links);
    CheckBbrGains(options, flows, corrections);
}

ScenarioParameters
ScenarioParameters::FromOptions(const Options& options, uint32_t accessLinks)
{
    ScenarioParameters p;
    auto bottleneck = ReadLink(options, "bottleneck", "left", "right");
    p.links = {bottleneck};
    p.ReadCommon(options);
    const auto rate = bottleneck.forward.bandwidth;
    p.flows = ReadFlows(options, bottleneck.forward.delay, accessLinks);
    const auto longest =
        std::max_element(p.flows.begin(),
                         p.flows.end(),
                         [](const auto& a, const auto& b) { return a.baseRtt < b.baseRtt; })
            ->baseRtt;
    bottleneck.bdpBytes = static_cast<double>(rate.GetBitRate()) / 8 * longest.GetSeconds();
    const Buffer buffer =
        ReadBuffer(options,
                   {rate, bottleneck.forward.delay, bottleneck.bdpBytes, p.wirePacketBytes});
    CheckMarks(options, buffer, HaveDctcp(p.flows));
    bottleneck.forward.buffer = buffer;
    bottleneck.reverse.buffer = buffer;
    p.ecn = buffer.ecn;
    p.links = {bottleneck};
    const auto stagger = options.As("start_stagger", ParseTime);
    for (uint32_t i = 0; i < p.flows.size(); ++i)
    {
        p.flows[i].start += i * stagger;
        p.flows[i].segmentBytes = p.segmentBytes;
        p.flows[i].route = {{0, p.flows[i].direction == Direction::FORWARD}};
    }
    p.packetJitter = options.As(
        "packet_jitter",
        [&](const std::string& text)
        {
            const double packetSeconds =
                p.wirePacketBytes * 8 / static_cast<double>(rate.GetBitRate());
            // Beyond 1e9 s, ns-3's Time would overflow.
            return ns3::Seconds(packetSeconds * ParseNumber(text, 0, 1e9 / packetSeconds));
        });
    p.cbr =
        CbrParameters::FromOptions(options,
                                   bottleneck.mtuBytes - IpHeaderBytes(p.ip) - UDP_HEADER_BYTES);
    p.ReadConsequences(options);
    return p;
}

void
ScenarioParameters::SetAttributes() const
{
    ns3::Config::SetDefault("ns3::TcpSocket::SegmentSize", ns3::UintegerValue(segmentBytes));
    ns3::Config::SetDefault("ns3::TcpSocket::SndBufSize", ns3::UintegerValue(socketBufferBytes));
    ns3::Config::SetDefault("ns3::TcpSocket::RcvBufSize", ns3::UintegerValue(socketBufferBytes));
    ns3::Config::SetDefault("ns3::TcpSocketBase::UseEcn", ns3::StringValue(ecn ? "On" : "Off"));
    VariantSocketFactory::Correct(corrections);
    if (codelBytes)
    {
        ns3::Config::SetDefault("ns3::CoDelQueueDisc::MinBytes", ns3::UintegerValue(*codelBytes));
    }
    if (maxPacingRate)
    {
        ns3::Config::SetDefault("ns3::TcpSocketState::MaxPacingRate",
                                ns3::DataRateValue(*maxPacingRate));
    }
}

} // namespace tcpsweep
