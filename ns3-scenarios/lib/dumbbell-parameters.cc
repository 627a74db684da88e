// SPDX-License-Identifier: GPL-2.0-only
#include "dumbbell-parameters.h"

#include "link.h"
#include "ns3-types.h"
#include "values.h"

#include <ns3/config.h>
#include <ns3/tcp-congestion-ops.h>
#include <ns3/tcp-socket-base.h>
#include <ns3/uinteger.h>

#include <algorithm>
#include <limits>

namespace tcpsweep
{

namespace
{

/// The device's MTU in ns-3, which the scenario leaves as it is.
constexpr uint32_t MTU_BYTES = 1500;
/// The largest receive window that TCP can advertise: RFC 7323, section 2.3.
constexpr uint64_t LARGEST_WINDOW_BYTES = uint64_t{65535} << 14;

/// @return what IP and TCP add to a segment's payload, with the options that ns-3 sends on every
/// segment
uint32_t
HeaderBytes()
{
    const bool timestamps = ValueInForce(ns3::TcpSocketBase::GetTypeId(), "Timestamp") == "true";
    return 20 + 20 + (timestamps ? 12 : 0);
}

/**
 * @param text names of congestion controls with + between
 * @return their types
 */
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

/**
 * DCTCP without marks is not DCTCP.
 *
 * @param buffer the bottleneck's buffer
 * @param variants the congestion controls
 */
void
CheckMarks(const Buffer& buffer, const std::vector<ns3::TypeId>& variants)
{
    const bool dctcp =
        std::any_of(variants.begin(),
                    variants.end(),
                    [](ns3::TypeId variant) { return variant.GetName() == "ns3::TcpDctcp"; });
    if (!dctcp)
    {
        return;
    }
    const std::string needs = "TcpDctcp needs a queue disc that marks";
    if (!buffer.hasDisc || !HasAttribute(buffer.disc, "UseEcn"))
    {
        throw UsageError("queue_disc", needs + ", such as RedQueueDisc with UseEcn");
    }
    if (ValueInForce(buffer.disc, "UseEcn") != "true")
    {
        const auto name = buffer.disc.GetName();
        throw UsageError("queue_disc", needs + "; set --" + name + "::UseEcn=true");
    }
}

/**
 * @param options the options
 * @param delay the bottleneck's one-way delay
 * @return the flows
 */
std::vector<FlowParameters>
ReadFlows(const Options& options, ns3::Time delay)
{
    const auto count =
        options.As("flows", [](const std::string& text) { return ParseCount(text, 1, 1000); });
    const auto variants = options.As("variant", ParseVariants);
    const auto bandwidths = options.ListAs("access_bandwidth", ParseRate);
    const auto delays = options.ListAs("access_delay", ParseTime);
    const auto bytes = options.ListAs("bytes",
                                      [](const std::string& text)
                                      { return ParseCount(text, 0, 1000000000000000); });
    std::vector<FlowParameters> flows;
    for (uint64_t i = 0; i < count; ++i)
    {
        const ns3::Time accessDelay = delays[i % delays.size()];
        flows.push_back({variants[i % variants.size()],
                         bandwidths[i % bandwidths.size()],
                         accessDelay,
                         bytes[i % bytes.size()],
                         2 * (delay + 2 * accessDelay)});
    }
    return flows;
}

/**
 * @param options the options
 * @param parameters what is known of the parameters: rate, delay, BDP, packet size
 * @return the bottleneck's buffer
 */
Buffer
ReadBuffer(const Options& options, const DumbbellParameters& parameters)
{
    const auto resolve = [&options, &parameters](const std::string& name, auto parse)
    {
        return options.As(
            name,
            [&](const std::string& text)
            { return parse(text).Resolve(parameters.bdpBytes, parameters.wirePacketBytes); });
    };
    Buffer buffer{resolve("queue", ParseQueueSize),
                  options.Text("queue_disc") != "none",
                  {},
                  resolve("device_queue", ParseBufferSize),
                  parameters.bandwidth,
                  parameters.delay};
    if (buffer.hasDisc)
    {
        buffer.disc = options.As("queue_disc",
                                 [&buffer](const std::string& text)
                                 {
                                     buffer.disc =
                                         FindType(text, ns3::QueueDisc::GetTypeId(), "queue disc");
                                     buffer.Check();
                                     return buffer.disc;
                                 });
    }
    return buffer;
}

/**
 * @param text auto or a number of bytes
 * @param parameters what is known of the parameters: BDP, packet size, buffer
 * @return the size of the sockets' buffers
 */
uint32_t
ReadSocketBuffer(const std::string& text, const DumbbellParameters& parameters)
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

} // namespace

DumbbellParameters
DumbbellParameters::FromOptions(const Options& options)
{
    DumbbellParameters p;
    p.bandwidth = options.As("bandwidth", ParseRate);
    p.delay = options.As("delay", ParseTime);
    p.flows = ReadFlows(options, p.delay);
    p.loss = options.As("loss", [](const std::string& text) { return ParseNumber(text, 0, 1); });
    p.lossPerByte = options.As("loss_unit",
                               [](const std::string& text)
                               { return ParseWord(text, {"packet", "byte"}) == "byte"; });
    const auto lossOn = options.As("loss_on",
                                   [](const std::string& text)
                                   { return ParseWord(text, {"data", "acks", "both"}); });
    p.lossOnData = lossOn != "acks";
    p.lossOnAcks = lossOn != "data";
    p.segmentBytes = options.As(
        "segment_size",
        [](const std::string& text)
        {
            const uint64_t bytes = ParseCount(text, 1, 65000);
            if (bytes + HeaderBytes() > MTU_BYTES)
            {
                throw BadValue("at most " + std::to_string(MTU_BYTES - HeaderBytes()) +
                                   " bytes, so that no packet is larger than the link's MTU of " +
                                   std::to_string(MTU_BYTES),
                               text);
            }
            return static_cast<uint32_t>(bytes);
        });
    p.wirePacketBytes = p.segmentBytes + HeaderBytes() + PPP_HEADER_BYTES;

    const auto longest =
        std::max_element(p.flows.begin(),
                         p.flows.end(),
                         [](const auto& a, const auto& b) { return a.baseRtt < b.baseRtt; })
            ->baseRtt;
    p.bdpBytes = static_cast<double>(p.bandwidth.GetBitRate()) / 8 * longest.GetSeconds();
    p.buffer = ReadBuffer(options, p);
    CheckMarks(p.buffer, options.As("variant", ParseVariants));
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
            // Beyond 1e9 s, ns-3's times would overflow.
            return ns3::Seconds(packetSeconds * ParseNumber(text, 0, 1e9 / packetSeconds));
        });
    p.duration = options.As("duration", ParseDuration);
    return p;
}

void
DumbbellParameters::SetAttributes() const
{
    ns3::Config::SetDefault("ns3::TcpSocket::SegmentSize", ns3::UintegerValue(segmentBytes));
    ns3::Config::SetDefault("ns3::TcpSocket::SndBufSize", ns3::UintegerValue(socketBufferBytes));
    ns3::Config::SetDefault("ns3::TcpSocket::RcvBufSize", ns3::UintegerValue(socketBufferBytes));
}

} // namespace tcpsweep
