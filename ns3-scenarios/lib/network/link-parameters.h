// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_LINK_PARAMETERS_H
#define TCPSWEEP_LINK_PARAMETERS_H

#include "network/buffer.h"
#include "network/changing-way.h"
#include "network/random-loss.h"
#include "options/options.h"

#include <ns3/data-rate.h>
#include <ns3/nstime.h>

#include <cstdint>
#include <optional>
#include <string>

namespace tcpsweep
{

/// One direction of a link.
struct WayParameters
{
    ns3::DataRate bandwidth;      //!< its rate, of a trace the mean
    ns3::Time delay;              //!< its propagation delay
    std::optional<Buffer> buffer; //!< the buffer at its sender; nothing for one that never drops
    ns3::Time jitter;             //!< the longest random delay of a packet, their order kept
    ChangingWay change = {};      //!< properties other than a queue, a rate and a delay
};

/// A link between two nodes. Forward is from its left node to its right node.
struct LinkParameters
{
    std::string name;        //!< its name
    std::string left;        //!< the name of its first node
    std::string right;       //!< the name of its second node
    WayParameters forward;   //!< from left to right
    WayParameters reverse;   //!< from right to left
    RandomLoss loss;         //!< random losses
    bool sameSchedule{true}; //!< whether both directions have the forward schedule
    /// random losses from right to left, if they are given separately
    std::optional<RandomLoss> reverseLoss = {};
    uint32_t mtuBytes{1500}; //!< the largest IP packet that it carries
    double bdpBytes{0};      //!< rate × the largest base RTT of its flows, of the faster direction

    /// @return whether it has a buffer that may drop, whose events are traced
    bool IsTraced() const;

    /// @return whether it changes over time, or loses packets by chance
    bool Varies() const;

    /// @return the delay of both directions together
    ns3::Time
    RoundTrip() const
    {
        return forward.delay + reverse.delay;
    }

    /// @return whether it needs a LinkChannel
    bool NeedsLinkChannel() const;
};

/// The values, in addition to its options, from which a link's buffer is derived.
struct BufferSituation
{
    ns3::DataRate bandwidth;  //!< the link's rate
    ns3::Time delay;          //!< its delay
    double bdpBytes;          //!< that rate × the largest base RTT of the link's flows
    uint32_t wirePacketBytes; //!< bytes of a full segment on the wire
};

/**
 * Read the properties of one direction that do not depend on flows: rate, delay, changes.
 *
 * @param options the options of the link, or of its reverse direction
 * @return the direction, still without buffer
 * @throws UsageError
 */
WayParameters ReadWay(const Options& options);

/**
 * Read the properties of a link that do not depend on flows, equal in both directions: rate, delay,
 * losses, changes.
 *
 * @param options the options of the link
 * @param name its name
 * @param left the name of its first node
 * @param right the name of its second node
 * @return the link, still without buffers
 * @throws UsageError
 */
LinkParameters ReadLink(const Options& options,
                        const std::string& name,
                        const std::string& left,
                        const std::string& right);

/**
 * @param options the options of a link
 * @param situation the values from which its buffer is derived
 * @return the buffer
 * @throws UsageError
 */
Buffer ReadBuffer(const Options& options, const BufferSituation& situation);

/**
 * Check that ECN has a disc that marks, and that DCTCP has ECN and one threshold.
 *
 * @param options the options of a link
 * @param buffer its buffer
 * @param hasDctcp whether flows with DCTCP cross it
 * @throws UsageError
 */
void CheckMarks(const Options& options, const Buffer& buffer, bool hasDctcp);

} // namespace tcpsweep

#endif // TCPSWEEP_LINK_PARAMETERS_H
