// SPDX-License-Identifier: GPL-2.0-only
#include "network/link-parameters.h"

#include "network/disc-settings.h"
#include "network/link.h"
#include "options/ns3-types.h"
#include "options/values.h"

#include <ns3/red-queue-disc.h>

namespace tcpsweep
{

bool
LinkParameters::IsTraced() const
{
    return forward.buffer || reverse.buffer;
}

bool
LinkParameters::Varies() const
{
    const auto varies = [](const WayParameters& way)
    {
        const auto& change = way.change;
        return change.trace || !change.schedule.changes.empty() || change.gilbertElliott.IsOn() ||
               change.reordering.IsOn() || change.conditioner.IsOn();
    };
    return loss.probability > 0 || (reverseLoss && reverseLoss->probability > 0) ||
           varies(forward) || varies(reverse);
}

bool
LinkParameters::NeedsLinkChannel() const
{
    const auto needs = [](const WayParameters& way)
    {
        return way.jitter.IsStrictlyPositive() || way.change.NeedsLinkChannel();
    };
    return needs(forward) || needs(reverse) || forward.delay != reverse.delay;
}

WayParameters
ReadWay(const Options& options)
{
    WayParameters way;
    way.delay = options.As("delay", ParseTime);
    way.bandwidth = options.As("bandwidth", ParseRate);
    // In a scenario with a bottleneck, only that link has the step.
    way.change = ChangingWay::FromOptions(options.With(ChangingWay::Declared()));
    if (way.change.trace)
    {
        way.bandwidth = way.change.trace->MeanRate();
    }
    return way;
}

LinkParameters
ReadLink(const Options& options,
         const std::string& name,
         const std::string& left,
         const std::string& right)
{
    LinkParameters link;
    link.name = name;
    link.left = left;
    link.right = right;
    link.forward = ReadWay(options);
    link.reverse = link.forward;
    link.loss = RandomLoss::FromOptions(options);
    link.mtuBytes = options.As("mtu",
                               [](const std::string& text)
                               { return static_cast<uint32_t>(ParseCount(text, 576, 9000)); });
    return link;
}

Buffer
ReadBuffer(const Options& options, const BufferSituation& situation)
{
    const auto resolve = [&options, &situation](const std::string& name, auto parse)
    {
        return options.As(
            name,
            [&](const std::string& text)
            { return parse(text).Resolve(situation.bdpBytes, situation.wirePacketBytes); });
    };
    Buffer buffer;
    buffer.size = resolve("queue", ParseQueueSize);
    buffer.hasDisc = options.Text("queue_disc") != "none";
    buffer.deviceSize = resolve("device_queue", ParseBufferSize);
    buffer.rate = situation.bandwidth;
    buffer.delay = situation.delay;
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
                                             situation.bdpBytes,
                                             situation.wirePacketBytes,
                                             situation.wirePacketBytes - PPP_HEADER_BYTES,
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

void
CheckMarks(const Options& options, const Buffer& buffer, bool hasDctcp)
{
    const bool hasThreshold = options.As("ecn_threshold", ParseMarkingThreshold).IsGiven();
    if (hasThreshold && !buffer.ecn)
    {
        throw UsageError(options.Full("ecn_threshold"),
                         "needs --" + options.Full("ecn") + "=true: without it, nothing is marked");
    }
    if (hasDctcp && !buffer.ecn)
    {
        throw UsageError("variant",
                         "TcpDctcp needs --" + options.Full("ecn") +
                             "=true and a queue disc that marks, such as RedQueueDisc");
    }
    if (buffer.ecn && !(buffer.hasDisc && HasAttribute(buffer.disc, "UseEcn")))
    {
        throw UsageError(options.Full("ecn"),
                         (buffer.hasDisc ? buffer.disc.GetName() + " does not mark"
                                         : std::string("a drop-tail queue does not mark")) +
                             "; give a queue disc that does, such as RedQueueDisc");
    }
    if (hasDctcp && buffer.disc == ns3::RedQueueDisc::GetTypeId() && !hasThreshold &&
        !options.Sets(buffer.disc, "MinTh") && !options.Sets(buffer.disc, "MaxTh"))
    {
        throw UsageError("variant",
                         "TcpDctcp needs a disc that marks all packets above one threshold: give "
                         "--" +
                             options.Full("ecn_threshold") +
                             ", such as 20p, or MinTh and MaxTh of RedQueueDisc");
    }
}

} // namespace tcpsweep
