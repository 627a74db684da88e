// SPDX-License-Identifier: GPL-2.0-only
#include "network/link-step.h"

#include "options/values.h"

#include <ns3/simulator.h>

namespace tcpsweep
{

namespace
{

/**
 * @param options the options
 * @param name name of an option that may be none
 * @param parse makes a value from a text
 * @return the value; nothing for none
 */
template <typename Parse>
auto
ReadOptional(const Options& options, const std::string& name, Parse parse)
{
    return options.As(name,
                      [parse](const std::string& text)
                      { return text == "none" ? std::nullopt : std::optional(parse(text)); });
}

} // namespace

LinkStep
LinkStep::FromOptions(const Options& options)
{
    const LinkStep step{options.As("step_time", ParseTime),
                        ReadOptional(options, "step_bandwidth", ParseRate),
                        ReadOptional(options, "step_delay", ParseTime)};
    const bool changes = step.bandwidth || step.delay;
    if (changes != step.time.IsStrictlyPositive())
    {
        throw UsageError(options.Full("step_time"),
                         changes ? "step_bandwidth and step_delay need a time above zero"
                                 : "needs step_bandwidth, step_delay or both");
    }
    return step;
}

void
LinkStep::Schedule(const Link& link) const
{
    if (time.IsZero())
    {
        return;
    }
    ns3::Simulator::Schedule(
        time,
        [link, rate = bandwidth, propagation = delay]
        {
            if (rate)
            {
                link.left->SetDataRate(*rate);
                link.right->SetDataRate(*rate);
            }
            if (propagation)
            {
                link.left->GetChannel()->SetAttribute("Delay", ns3::TimeValue(*propagation));
            }
        });
}

} // namespace tcpsweep
