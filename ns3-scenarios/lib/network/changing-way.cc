// SPDX-License-Identifier: GPL-2.0-only
#include "network/changing-way.h"

#include "options/values.h"

namespace tcpsweep
{

namespace
{

/**
 * @param way a direction of a link
 * @param options the options that it was made of
 * @throws UsageError for two that exclude each other
 */
void
CheckTogether(const ChangingWay& way, const Options& options)
{
    if (way.trace && way.schedule.ChangesBandwidth())
    {
        throw UsageError(options.Full("trace"),
                         "the schedule or step_bandwidth changes the rate, but a link with a trace "
                         "has none; give one of them");
    }
    const bool isRandom =
        options.As("loss", [](const std::string& text) { return ParseNumber(text, 0, 1) > 0; });
    if (way.gilbertElliott.IsOn() && isRandom)
    {
        throw UsageError(options.Full("loss"),
                         "loss_good_to_bad or loss_in_good already sets the losses; give one");
    }
    if (way.schedule.ChangesLoss() && way.gilbertElliott.IsOn())
    {
        throw UsageError(options.Full("schedule"),
                         "has losses, but loss_good_to_bad or loss_in_good sets them");
    }
    if (way.schedule.ChangesLoss() && isRandom && options.Text("loss_burst") != "1")
    {
        throw UsageError(options.Full("schedule"),
                         "has losses of single packets, and loss_burst is above 1");
    }
}

} // namespace

std::vector<Option>
ChangingWay::Declared()
{
    std::vector<Option> all = {
        {"trace",
         "File of the times at which the link delivers 1500 bytes, in Mahimahi's format, which "
         "replaces the rate; none for a link with a rate",
         "",
         "none"},
    };
    for (const auto& options : {LinkSchedule::Declared(),
                                GilbertElliott::Declared(),
                                Reordering::Declared(),
                                Conditioner::Declared()})
    {
        all.insert(all.end(), options.begin(), options.end());
    }
    return all;
}

ChangingWay
ChangingWay::FromOptions(const Options& options)
{
    const ChangingWay way{
        options.As("trace",
                   [](const std::string& path)
                   { return path == "none" ? nullptr : OpportunityTrace::Read(path); }),
        LinkSchedule::FromOptions(options),
        GilbertElliott::FromOptions(options),
        Reordering::FromOptions(options),
        Conditioner::FromOptions(options)};
    CheckTogether(way, options);
    return way;
}

bool
ChangingWay::NeedsLinkChannel() const
{
    return reordering.IsOn() || schedule.ChangesDelay();
}

} // namespace tcpsweep
