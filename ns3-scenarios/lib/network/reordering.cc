// SPDX-License-Identifier: GPL-2.0-only
#include "network/reordering.h"

#include "network/link-channel.h"
#include "network/streams.h"
#include "options/values.h"

namespace tcpsweep
{

std::vector<Option>
Reordering::Declared()
{
    return {
        {"reorder",
         "Probability that a packet arrives late, so that later packets overtake it",
         "1",
         "0"},
        {"reorder_by", "How much later these packets arrive", "s", "0s"},
        {"reorder_spread",
         "constant: all of them are that much later; uniform: each by a uniform random time from 0 "
         "to that",
         "",
         "constant"},
    };
}

Reordering
Reordering::FromOptions(const Options& options)
{
    const Reordering reordering{
        options.As("reorder", [](const std::string& text) { return ParseNumber(text, 0, 1); }),
        options.As("reorder_by", ParseTime),
        options.As("reorder_spread",
                   [](const std::string& text)
                   { return ParseWord(text, {"constant", "uniform"}) == "uniform"; })};
    if (reordering.IsOn() && reordering.by.IsZero())
    {
        throw UsageError(options.Full("reorder_by"),
                         "reorder needs a time above zero, such as 5ms");
    }
    return reordering;
}

bool
Reordering::IsOn() const
{
    return share > 0;
}

void
Reordering::Install(const Way& way) const
{
    if (IsOn())
    {
        ns3::DynamicCast<LinkChannel>(way.sender->GetChannel())
            ->SetReordering(way.sender,
                            share,
                            isUniform ? ns3::Time() : by,
                            by,
                            StreamOf(Draw::REORDER, way.number));
    }
}

} // namespace tcpsweep
