// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_CHANGING_WAY_H
#define TCPSWEEP_CHANGING_WAY_H

#include "network/conditioner.h"
#include "network/gilbert-elliott.h"
#include "network/link-schedule.h"
#include "network/opportunity-trace.h"
#include "network/reordering.h"
#include "network/way.h"
#include "options/options.h"

#include <memory>
#include <vector>

namespace tcpsweep
{

/**
 * All that makes one direction of a link other than a queue, a rate and a delay that stay. The
 * order of its installation:
 *
 * 1. the sender is an OpportunityDevice if there is a trace, and gets it;
 * 2. the link has a LinkChannel if NeedsLinkChannel();
 * 3. the buffer is installed, then the conditioner around it;
 * 4. RandomLoss, or else the Gilbert-Elliott channel;
 * 5. reordering, and last the schedule, which takes over the delay and losses that are there.
 */
struct ChangingWay
{
    std::shared_ptr<const OpportunityTrace> trace; //!< when it delivers; nullptr for a plain rate
    LinkSchedule schedule;                         //!< its rate, delay and losses over time
    GilbertElliott gilbertElliott;                 //!< its losses in bursts
    Reordering reordering;                         //!< which packets come late
    Conditioner conditioner;                       //!< what happens before and behind its queue

    /// @return the options, beside those of RandomLoss and LinkStep
    static std::vector<Option> Declared();

    /**
     * @param options the options in force, with those of RandomLoss and LinkStep
     * @return their values
     * @throws UsageError, also for two that exclude each other
     */
    static ChangingWay FromOptions(const Options& options);

    /// @return whether the link needs a LinkChannel for this direction
    bool NeedsLinkChannel() const;
};

} // namespace tcpsweep

#endif // TCPSWEEP_CHANGING_WAY_H
