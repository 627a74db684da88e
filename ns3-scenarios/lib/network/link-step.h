// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_LINK_STEP_H
#define TCPSWEEP_LINK_STEP_H

#include "network/link.h"
#include "options/options.h"

#include <optional>

namespace tcpsweep
{

/// A change of a link's rate or delay during a simulation.
struct LinkStep
{
    ns3::Time time;                         //!< when; zero for never
    std::optional<ns3::DataRate> bandwidth; //!< the rate from then on; nothing if unchanged
    std::optional<ns3::Time> delay;         //!< the delay from then on; nothing if unchanged

    /**
     * @param options the options in force
     * @return their values
     * @throws UsageError
     */
    static LinkStep FromOptions(const Options& options);

    /// @param link the link that changes, in both directions
    void Schedule(const Link& link) const;
};

} // namespace tcpsweep

#endif // TCPSWEEP_LINK_STEP_H
