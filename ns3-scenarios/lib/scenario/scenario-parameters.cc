// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario-parameters.h"

#include "network/disc-settings.h"
#include "network/link.h"
#include "options/ns3-types.h"
#include "options/values.h"

#include <ns3/config.h>
#include <ns3/red-queue-disc.h>
#include <ns3/string.h>
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
 * Check that ECN has a disc that marks, and that DCTCP has ECN and one threshold.
 *
 * @param options the options
 * @param buffer the bottleneck's buffer
 * @param flows the flows
 */
void
CheckMarks(const Options& options, const Buffer& buffer, const std::vector<FlowParameters>& flows)
{
    const bool hasThreshold = options.As("ecn_threshold", ParseMarkingThreshold).IsGiven();
    if (hasThreshold && !buffer.ecn)
    {
        throw UsageError("ecn_threshold", "needs --ecn=true: without it, nothing is marked");
    }
    const bool dctcp =
        std::any_of(flows.begin(),
                    flows.end(),
                    [](const auto& flow)
                    { return flow.variant && flow.variant->GetName() == "ns3::TcpDctcp"; });
    if (dctcp && !buffer.ecn)
    {
        throw UsageError("variant",
                         "TcpDctcp needs --ecn=true and a queue disc that marks, such as "
                         "RedQueueDisc");
    }
    if (buffer.ecn && !(buffer.hasDisc && HasAttribute(buffer.disc, "UseEcn")))
    {
        throw UsageError("ecn",
                         (buffer.hasDisc ? buffer.disc.GetName() + " does not mark"
                                         : std::string("a drop-tail queue does not mark")) +
                             "; give a queue disc that does, such as RedQueueDisc");
    }
    if (dctcp && buffer.disc == ns3::RedQueueDisc::GetTypeId() && !hasThreshold &&
        !options.Sets(buffer.disc, "MinTh") && !options.Sets(buffer.disc, "MaxTh"))
    {
        throw UsageError("variant",
                         "TcpDctcp needs a disc that marks all packets above one threshold: give "
                         "--ecn_threshold, such as 20p, or MinTh and MaxTh of RedQueueDisc");
    }
}

/**
 * @param options the options
 * @param parameters the parameters so far: rate, delay, BDP, packet size
 * @return the bottleneck's buffer
 */
Buffer
ReadBuffer(const Options& options, const ScenarioParameters& parameters)
{
    const auto resolve = [&options, &parameters](const std::string& name, auto parse)
    {
        return options.As(
            name,
            [&](const std::string& text)
            { return parse(text).Resolve(parameters.bdpBytes, parameters.wirePacketBytes); });
    };
    Buffer buffer;
    buffer.size = resolve("queue", ParseQueueSize);
    buffer.hasDisc = options.Text("queue_disc") != "none";
    buffer.deviceSize = resolve("device_queue", ParseBufferSize);
    buffer.rate = parameters.bandwidth;
    buffer.delay = parameters.delay;
    buffer.ecn = options.As("ecn", ParseFlag);
    if (buffer.hasDisc)
    {
        buffer.disc =
            options.As("queue_disc",
                       [](const std::string& text)
                       { return FindType(text, ns3::QueueDisc::GetTypeId(), "queue disc"); });
        buffer.settings = FollowingSettings(options,
                                            {buffer.disc,
                                             buffer.size,
                                             parameters.bdpBytes,
                                             parameters.wirePacketBytes,
                                             parameters.wirePacketBytes - PPP_HEADER_BYTES,
                                             options.As("ecn_threshold", ParseMarkingThreshold)});
        options.As("queue_disc",
                   [&buffer](const std::string&)
                   {
                       buffer.Check();
                       return true;
                   });
        buffer.salted =
            HasAttribute(buffer.disc, Buffer::SALT) && !options.Sets(buffer.disc, Buffer::SALT);
    }
    return buffer;
}

/**
 * @param text auto or a number of bytes
 * @param parameters the parameters so far: BDP, packet size, buffer
 * @return the size of the sockets' buffers
 */
uint32_t
ReadSocketBuffer(const std::string& text, const ScenarioParameters& parameters)
{
    if (text == "auto")
    {
        const auto path = static_cast<uint64_t>(parameters.bdpBytes) +
                          InBytes(parameters.buffer.size, parameters.wirePacketBytes);
        return static_cast<uint32_t>(
            std::min(std::max(uint64_t{4} << 20, 4 * path), LARGEST_WINDOW_BYTES));
    }
    const uint64_t bytes = ParseBytes(text);
    if (bytes < parameters.segmentBytes || bytes > std::numeric_limits<uint32_t>::max())
    {
        throw BadValue("auto, or from one segment to 4294967295 bytes", text);
    }
    return static_cast<uint32_t>(bytes);
}

/**
 * ns-3 paces no flow faster than MaxPacingRate, 4 Gbit/s unless set. BBR's first rates are 2.89
 * times what it takes for the bottleneck's, and other variants pace at most at twice their rate
 * where they are told to, so that four times the bottleneck's rate limits none.
 *
 * @param options the options
 * @param parameters the parameters so far: rate, step
 * @return the rate; nothing if the command line sets it or ns-3's default is no limit
 */
std::optional<ns3::DataRate>
FindMaxPacingRate(const Options& options, const ScenarioParameters& parameters)
{
    const auto type = ns3::TcpSocketState::GetTypeId();
    const uint64_t fastest =
        std::max(parameters.bandwidth, parameters.step.bandwidth.value_or(parameters.bandwidth))
            .GetBitRate();
    const ns3::DataRate needed(4 * std::min(fastest, std::numeric_limits<uint64_t>::max() / 4));
    if (options.Sets(type, "MaxPacingRate") ||
        needed <= ns3::DataRate(ValueInForce(type, "MaxPacingRate")))
    {
        return std::nullopt;
    }
    return needed;
}

} // namespace

ScenarioParameters
ScenarioParameters::FromOptions(const Options& options, uint32_t accessLinks, Ip ip)
{
    ScenarioParameters p;
    p.ip = ip;
    p.bandwidth = options.As("bandwidth", ParseRate);
    p.delay = options.As("delay", ParseTime);
    p.flows = ReadFlows(options, p.delay, accessLinks);
    p.loss = RandomLoss::FromOptions(options);
    p.segmentBytes = options.As(
        "segment_size",
        [ip](const std::string& text)
        {
            const uint64_t bytes = ParseCount(text, 1, 65000);
            if (bytes + HeaderBytes(ip) > MtuBytes(ip))
            {
                throw BadValue("at most " + std::to_string(MtuBytes(ip) - HeaderBytes(ip)) +
                                   " bytes, so that no packet is larger than the link's MTU of " +
                                   std::to_string(MtuBytes(ip)),
                               text);
            }
            return static_cast<uint32_t>(bytes);
        });
    p.wirePacketBytes = p.segmentBytes + HeaderBytes(ip) + PPP_HEADER_BYTES;

    const auto longest =
        std::max_element(p.flows.begin(),
                         p.flows.end(),
                         [](const auto& a, const auto& b) { return a.baseRtt < b.baseRtt; })
            ->baseRtt;
    p.bdpBytes = static_cast<double>(p.bandwidth.GetBitRate()) / 8 * longest.GetSeconds();
    p.buffer = ReadBuffer(options, p);
    CheckMarks(options, p.buffer, p.flows);
    p.socketBufferBytes =
        options.As("socket_buffer",
                   [&p](const std::string& text) { return ReadSocketBuffer(text, p); });

    p.startStagger = options.As("start_stagger", ParseTime);
    p.startJitter = options.As(
        "start_jitter",
        [&longest](const std::string& text)
        { return text == "auto" ? std::max(ns3::Seconds(1), 20 * longest) : ParseTime(text); });
    p.packetJitter = options.As(
        "packet_jitter",
        [&p](const std::string& text)
        {
            const double packetSeconds =
                p.wirePacketBytes * 8 / static_cast<double>(p.bandwidth.GetBitRate());
            // Beyond 1e9 s, ns-3's Time would overflow.
            return ns3::Seconds(packetSeconds * ParseNumber(text, 0, 1e9 / packetSeconds));
        });
    p.cbr = CbrParameters::FromOptions(options);
    p.step = LinkStep::FromOptions(options);
    p.maxPacingRate = FindMaxPacingRate(options, p);
    p.duration = options.As("duration", ParseDuration);
    return p;
}

void
ScenarioParameters::SetAttributes() const
{
    ns3::Config::SetDefault("ns3::TcpSocket::SegmentSize", ns3::UintegerValue(segmentBytes));
    ns3::Config::SetDefault("ns3::TcpSocket::SndBufSize", ns3::UintegerValue(socketBufferBytes));
    ns3::Config::SetDefault("ns3::TcpSocket::RcvBufSize", ns3::UintegerValue(socketBufferBytes));
    ns3::Config::SetDefault("ns3::TcpSocketBase::UseEcn",
                            ns3::StringValue(buffer.ecn ? "On" : "Off"));
    if (maxPacingRate)
    {
        ns3::Config::SetDefault("ns3::TcpSocketState::MaxPacingRate",
                                ns3::DataRateValue(*maxPacingRate));
    }
}

} // namespace tcpsweep
