// SPDX-License-Identifier: GPL-2.0-only
#include "network/disc-settings.h"

#include "options/errors.h"
#include "options/ns3-types.h"
#include "options/values.h"

#include <ns3/red-queue-disc.h>

#include <algorithm>
#include <iomanip>
#include <set>
#include <sstream>

namespace tcpsweep
{

namespace
{

const char* const OPTION = "ecn_threshold";
const char* const MIN_TH = "MinTh";
const char* const MAX_TH = "MaxTh";
const char* const CE_THRESHOLD = "CeThreshold";
const char* const MEAN_PACKET = "MeanPktSize";
/// The discs that mark every ECN-capable packet whose delay is above CeThreshold. PIE's discs have
/// the attribute too, but use it only for L4S.
const std::set<std::string> DELAY_DISCS = {"ns3::CoDelQueueDisc",
                                           "ns3::CobaltQueueDisc",
                                           "ns3::FqCoDelQueueDisc",
                                           "ns3::FqCobaltQueueDisc"};
/// MaxTh is three times MinTh, and MinTh is five packets or more: S. Floyd, "RED: Discussions of
/// Setting Parameters", 1997, http://www.icir.org/floyd/REDparameters.txt.
constexpr double MAX_OF_MIN = 3;
constexpr double LEAST_MIN_PACKETS = 5;
/// MaxTh is a quarter of the queue: iproute2's tc/q_red.c, which follows the same text.
constexpr double QUEUE_OF_MAX = 4;

/**
 * @param number a number
 * @return its text
 */
std::string
TextOf(double number)
{
    std::ostringstream text;
    text << std::setprecision(10) << number;
    return text.str();
}

/**
 * @param size a queue's size
 * @return its unit, which is also the thresholds' unit
 */
std::string
UnitOf(ns3::QueueSize size)
{
    return size.GetUnit() == ns3::QueueSizeUnit::BYTES ? "B" : "p";
}

/// RED's thresholds.
struct Thresholds
{
    double min; //!< MinTh
    double max; //!< MaxTh
};

/**
 * @param attribute the name of an attribute of RED
 * @return its full name
 */
std::string
FullName(const std::string& attribute)
{
    return ns3::RedQueueDisc::GetTypeId().GetName() + "::" + attribute;
}

/**
 * Check the thresholds if the command line gives one or both of them.
 *
 * @param thresholds the thresholds
 * @param situation the disc
 * @param max whether the command line gives MaxTh
 */
void
CheckThresholds(const Thresholds& thresholds, const DiscSituation& situation, bool max)
{
    const std::string unit = UnitOf(situation.size);
    const double limit = situation.size.GetValue();
    if (thresholds.min < 0 || thresholds.min > thresholds.max)
    {
        throw UsageError(FullName(MIN_TH),
                         "expected from 0 to MaxTh, " + TextOf(thresholds.max) + ", got " +
                             TextOf(thresholds.min));
    }
    if (thresholds.max > limit)
    {
        const std::string queue = "the queue, " + TextOf(limit) + unit;
        throw max ? UsageError(FullName(MAX_TH),
                               "expected no more than " + queue + ", got " + TextOf(thresholds.max))
                  : UsageError(FullName(MIN_TH),
                               "expected at most " + TextOf(limit / MAX_OF_MIN) +
                                   ", as MaxTh is three times as much and no more than " + queue +
                                   ", got " + TextOf(thresholds.min));
    }
    if (unit == "B" && thresholds.max < situation.packetBytes)
    {
        throw UsageError(FullName(max ? MAX_TH : MIN_TH),
                         "it counts bytes as the queue does: expected MaxTh from a full packet's " +
                             std::to_string(situation.packetBytes) + ", got " +
                             TextOf(thresholds.max));
    }
}

/**
 * @param options the command line
 * @param situation a disc of RED
 * @return its thresholds
 */
DiscSettings
RedThresholds(const Options& options, const DiscSituation& situation)
{
    const bool min = options.Sets(situation.disc, MIN_TH);
    const bool max = options.Sets(situation.disc, MAX_TH);
    if (ValueInForce(situation.disc, "ARED") == "true")
    {
        // RED chooses both on its own.
        return {};
    }
    const double limit = situation.size.GetValue();
    const double packet = UnitOf(situation.size) == "B" ? situation.packetBytes : 1;
    const double found = std::max(limit / QUEUE_OF_MAX, MAX_OF_MIN * LEAST_MIN_PACKETS * packet);
    Thresholds thresholds{std::stod(ValueInForce(situation.disc, MIN_TH)),
                          std::stod(ValueInForce(situation.disc, MAX_TH))};
    if (!max)
    {
        thresholds.max = min ? MAX_OF_MIN * thresholds.min : std::min(limit, found);
    }
    if (!min)
    {
        thresholds.min = thresholds.max / MAX_OF_MIN;
    }
    // With 0 for both, ns-3 chooses them.
    if ((min || max) && (thresholds.min != 0 || thresholds.max != 0))
    {
        CheckThresholds(thresholds, situation, max);
    }
    return {{MIN_TH, TextOf(thresholds.min)}, {MAX_TH, TextOf(thresholds.max)}};
}

/**
 * RED that marks every packet which finds K or more in the queue: M. Alizadeh et al., "Data Center
 * TCP (DCTCP)", SIGCOMM 2010, section 3.1. Gentle is off; with it, the marking probability would
 * begin to rise at K and reach 1 only at 2 K.
 *
 * @param options the command line
 * @param situation a disc of RED
 * @return its settings
 */
DiscSettings
RedMarks(const Options& options, const DiscSituation& situation)
{
    for (const auto attribute : {MIN_TH, MAX_TH, "QW", "Gentle", "UseHardDrop", "ARED"})
    {
        if (options.Sets(situation.disc, attribute))
        {
            throw UsageError(options.Full(OPTION),
                             "this sets " + FullName(attribute) +
                                 " too; give one of the two, not both");
        }
    }
    const auto threshold = options.As(
        OPTION,
        [&situation](const std::string& text)
        {
            if (!situation.threshold.queue)
            {
                throw BadValue(
                    "a length such as 20p, 30kB or 0.2bdp, because RedQueueDisc has no delays",
                    text);
            }
            const auto size =
                situation.threshold.queue->Resolve(situation.bdpBytes, situation.wirePacketBytes);
            const double packet = situation.packetBytes;
            const double bytes = UnitOf(size) == "B" ? size.GetValue() : size.GetValue() * packet;
            const bool inBytes = UnitOf(situation.size) == "B";
            const double found = inBytes ? bytes : bytes / packet;
            const double limit = situation.size.GetValue();
            if (found >= limit)
            {
                throw BadValue("less than the queue, " + TextOf(limit) + UnitOf(situation.size) +
                                   ", such as " +
                                   TextOf(std::max(1.0, limit - (inBytes ? packet : 1))) +
                                   UnitOf(situation.size),
                               text);
            }
            return found;
        });
    return {{MIN_TH, TextOf(threshold)},
            {MAX_TH, TextOf(threshold)},
            {"QW", "1"},
            {"Gentle", "false"},
            {"UseHardDrop", "false"}};
}

/**
 * @param options the command line
 * @param situation a disc that has CeThreshold
 * @return its settings
 */
DiscSettings
DelayMarks(const Options& options, const DiscSituation& situation)
{
    if (options.Sets(situation.disc, CE_THRESHOLD))
    {
        throw UsageError(options.Full(OPTION),
                         "this sets " + situation.disc.GetName() + "::" + CE_THRESHOLD +
                             " too; give one of the two, not both");
    }
    return options.As(
        OPTION,
        [&situation](const std::string& text) -> DiscSettings
        {
            if (!situation.threshold.delay)
            {
                throw BadValue("a time, as " + situation.disc.GetName() +
                                   " marks by the packets' delays, such as 1ms",
                               text);
            }
            return {
                {CE_THRESHOLD, std::to_string(situation.threshold.delay->GetNanoSeconds()) + "ns"}};
        });
}

} // namespace

bool
MarkingThreshold::IsGiven() const
{
    return queue || delay;
}

MarkingThreshold
ParseMarkingThreshold(const std::string& text)
{
    double amount = 0;
    std::string unit;
    if (text == "none")
    {
        return {};
    }
    if (ReadQuantity(text, amount, unit) && (unit == "p" || unit == "bdp" || BytesPerUnit(unit)))
    {
        return {ParseQueueSize(text), std::nullopt};
    }
    try
    {
        return {std::nullopt, ParseDuration(text)};
    }
    catch (const BadValue&)
    {
        throw BadValue("none, a length such as 20p, 30kB or 0.2bdp, or a time such as 1ms", text);
    }
}

DiscSettings
FollowingSettings(const Options& options, const DiscSituation& situation)
{
    const bool isRed = situation.disc == ns3::RedQueueDisc::GetTypeId();
    DiscSettings settings;
    if (situation.threshold.IsGiven())
    {
        if (!isRed && !DELAY_DISCS.count(situation.disc.GetName()))
        {
            throw UsageError(options.Full(OPTION),
                             situation.disc.GetName() +
                                 " has none; RedQueueDisc has a length, such as 20p, and "
                                 "CoDelQueueDisc, CobaltQueueDisc, FqCoDelQueueDisc and "
                                 "FqCobaltQueueDisc have a time, such as 1ms");
        }
        settings = isRed ? RedMarks(options, situation) : DelayMarks(options, situation);
    }
    else if (isRed)
    {
        settings = RedThresholds(options, situation);
    }
    if (HasAttribute(situation.disc, MEAN_PACKET) && !options.Sets(situation.disc, MEAN_PACKET))
    {
        settings.emplace_back(MEAN_PACKET, std::to_string(situation.packetBytes));
    }
    return settings;
}

} // namespace tcpsweep
