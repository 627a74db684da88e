// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_REORDERING_H
#define TCPSWEEP_REORDERING_H

#include "network/way.h"
#include "options/options.h"

#include <ns3/nstime.h>

#include <vector>

namespace tcpsweep
{

/// Late packets in one direction of a link, which others overtake.
struct Reordering
{
    double share;   //!< the probability that a packet is late; 0 for never
    ns3::Time by;   //!< how late; the longest time if it is uniform
    bool isUniform; //!< whether the lateness is uniform from zero to that time

    /// @return the options
    static std::vector<Option> Declared();

    /**
     * @param options the options in force
     * @return their values
     * @throws UsageError
     */
    static Reordering FromOptions(const Options& options);

    /// @return whether any packet may be late
    bool IsOn() const;

    /// @param way the direction, of a link with a LinkChannel
    void Install(const Way& way) const;
};

} // namespace tcpsweep

#endif // TCPSWEEP_REORDERING_H
