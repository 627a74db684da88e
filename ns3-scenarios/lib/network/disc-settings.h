// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_DISC_SETTINGS_H
#define TCPSWEEP_DISC_SETTINGS_H

#include "network/buffer.h"
#include "options/options.h"

#include <ns3/nstime.h>
#include <ns3/queue-size.h>
#include <ns3/type-id.h>

#include <cstdint>
#include <optional>
#include <string>

/**
 * @file
 * Attributes of a queue disc that are derived from its size, its packets and its marking threshold,
 * unless the user sets them.
 */

namespace tcpsweep
{

/// The threshold above which a disc marks every packet; nothing if its own algorithm decides.
struct MarkingThreshold
{
    std::optional<BufferSize> queue; //!< the length of its queue
    std::optional<ns3::Time> delay;  //!< the delay of a packet

    /// @return whether there is one
    bool IsGiven() const;
};

/**
 * @param text none, a length such as 20p, 30kB or 0.2bdp, or a time such as 1ms
 * @return the threshold
 */
MarkingThreshold ParseMarkingThreshold(const std::string& text);

/// The values from which a disc's settings are derived.
struct DiscSituation
{
    ns3::TypeId disc;           //!< its type
    ns3::QueueSize size;        //!< its size
    double bdpBytes;            //!< the bandwidth-delay product
    uint32_t wirePacketBytes;   //!< a full packet on the wire
    uint32_t packetBytes;       //!< a full packet as discs count it, including IP's header
    MarkingThreshold threshold; //!< the marking threshold
};

/**
 * @param options the command line, whose attributes win
 * @param situation the disc with its size and packets
 * @return its mean packet size, RED's thresholds, and the marking thresholds
 * @throws UsageError if a threshold does not fit the disc or its size
 */
DiscSettings FollowingSettings(const Options& options, const DiscSituation& situation);

} // namespace tcpsweep

#endif // TCPSWEEP_DISC_SETTINGS_H
