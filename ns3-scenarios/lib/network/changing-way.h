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
 * The properties of one direction of a link, other than a queue, a fixed rate and a fixed delay.
 * The order of installation:
 *
 * 1. if there is a trace, the sender is an OpportunityDevice and gets it;
 * 2. the link has a LinkChannel if NeedsLinkChannel();
 * 3. the buffer is installed, then the conditioner around it;
 * 4. RandomLoss, or else the Gilbert-Elliott channel;
 * 5. reordering, and last the schedule, which changes the installed delay and losses.
 */
struct ChangingWay
{
    std::shared_ptr<const OpportunityTrace> trace; //!< its delivery times; nullptr for a plain rate
    LinkSchedule schedule;                         //!< its rate, delay and losses over time
    GilbertElliott gilbertElliott;                 //!< its losses in bursts
    Reordering reordering;                         //!< which packets come late
    Conditioner conditioner;                       //!< the conditions before and after its queue

    /// @return the options, without the options of RandomLoss and LinkStep
    static std::vector<Option> Declared();

    /**
     * @param options the options in force, including the options of RandomLoss and LinkStep
     * @return their values
     * @throws UsageError, also for options that exclude each other
     */
    static ChangingWay FromOptions(const Options& options);

    /// @return whether the link needs a LinkChannel for this direction
    bool NeedsLinkChannel() const;
};

} // namespace tcpsweep

#endif // TCPSWEEP_CHANGING_WAY_H
