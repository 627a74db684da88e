// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_LINK_SCHEDULE_H
#define TCPSWEEP_LINK_SCHEDULE_H

#include "network/schedule-file.h"
#include "network/way.h"
#include "options/options.h"

#include <ns3/nstime.h>

#include <vector>

namespace tcpsweep
{

/**
 * Changes of a link's rate, delay and losses at given times, once or again and again. A packet
 * keeps the rate and the delay that it was sent with. Where the link has a LinkChannel, packets
 * stay in order when the delay falls.
 */
struct LinkSchedule
{
    std::vector<LinkChange> changes; //!< in the order of their times
    ns3::Time period;                //!< after what time they begin anew; zero for never

    /// @return the options, without those of LinkStep
    static std::vector<Option> Declared();

    /**
     * @param options the options in force; those of LinkStep make a schedule of one change
     * @return their values
     * @throws UsageError
     */
    static LinkSchedule FromOptions(const Options& options);

    /// @return whether the rate changes
    bool ChangesBandwidth() const;

    /// @return whether the delay changes
    bool ChangesDelay() const;

    /// @return whether the losses change
    bool ChangesLoss() const;

    /**
     * Make the changes at time zero, and schedule the others, one at a time. Losses are those of
     * the RateErrorModel that a receiver has, or else of one that it gets.
     *
     * @param ways the directions that change: of one link, or each with a LinkChannel if the delay
     * changes
     */
    void Install(const std::vector<Way>& ways) const;
};

} // namespace tcpsweep

#endif // TCPSWEEP_LINK_SCHEDULE_H
