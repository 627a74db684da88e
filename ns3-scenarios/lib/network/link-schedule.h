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
 * Changes of a link's rate, delay and losses at given times, once or periodically. A packet keeps
 * the rate and the delay from the time when it was sent. If the link has a LinkChannel, packets
 * stay in order when the delay falls.
 */
struct LinkSchedule
{
    std::vector<LinkChange> changes; //!< in the order of their times
    ns3::Time period;                //!< the time after which they repeat; zero for never

    /// @return the options, without LinkStep's options
    static std::vector<Option> Declared();

    /**
     * @param options the options in force; LinkStep's options make a schedule of one change
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
     * Make the changes at time zero, and schedule the others, one at a time. Losses change in the
     * receiver's RateErrorModel; a receiver without one gets one.
     *
     * @param ways the directions that change; if the delay changes, they belong to one link, or
     * each has a LinkChannel
     */
    void Install(const std::vector<Way>& ways) const;
};

} // namespace tcpsweep

#endif // TCPSWEEP_LINK_SCHEDULE_H
