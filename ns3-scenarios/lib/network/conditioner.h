// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_CONDITIONER_H
#define TCPSWEEP_CONDITIONER_H

#include "network/conditioned-queues.h"
#include "options/options.h"

#include <ns3/data-rate.h>
#include <ns3/point-to-point-net-device.h>
#include <ns3/queue-disc.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tcpsweep
{

/// Conditions around a link's queue: a policer before it, and an ACK filter after it.
struct Conditioner
{
    /// A queue disc with conditions, and its counts.
    struct Installed
    {
        ns3::Ptr<ns3::QueueDisc> root; //!< the disc that now has the device's packets
        std::shared_ptr<const Conditions::Counts> counts; //!< nullptr if nothing is done
    };

    std::optional<ns3::DataRate> policerRate; //!< the policer's rate; nothing for no policer
    uint64_t policerBurst;                    //!< its burst in bytes on the wire
    std::optional<uint32_t> thinning; //!< ACKs of which at least one goes, 0 for no bound; nothing
                                      //!< for no thinning

    /// @return the options
    static std::vector<Option> Declared();

    /**
     * @param options the options in force
     * @return their values
     * @throws UsageError
     */
    static Conditioner FromOptions(const Options& options);

    /// @return whether there are any conditions
    bool IsOn() const;

    /**
     * Put the conditions around an installed queue, before anything is connected to it. Without a
     * disc, the device gets another drop-tail queue of the same size. With a disc, the disc becomes
     * the child of another disc, whose trace sources also report the child's events.
     *
     * Policed packets are reported by DropBeforeEnqueue, thinned ACKs by DropAfterDequeue.
     *
     * @param device the device
     * @param disc its root queue disc; nullptr if it has only a queue
     * @return the new root disc, or nullptr without a disc, and the counts
     */
    Installed
    Install(ns3::Ptr<ns3::PointToPointNetDevice> device, ns3::Ptr<ns3::QueueDisc> disc) const;
};

} // namespace tcpsweep

#endif // TCPSWEEP_CONDITIONER_H
