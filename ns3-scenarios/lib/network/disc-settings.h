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
 * Attributes of a queue disc that follow from its size, its packets and where it is to mark, as
 * far as nobody sets them.
 */

namespace tcpsweep
{

/// Above what a disc marks every packet; nothing where its own law decides.
struct MarkingThreshold
{
    std::optional<BufferSize> queue; //!< how much waits in it
    std::optional<ns3::Time> delay;  //!< how long a packet was in it

    /// @return whether there is one
    bool IsGiven() const;
};

/**
 * @param text none, a length such as 20p, 30kB or 0.2bdp, or a time such as 1ms
 * @return the threshold
 */
MarkingThreshold ParseMarkingThreshold(const std::string& text);

/// What a disc's settings follow from.
struct DiscSituation
{
    ns3::TypeId disc;           //!< its type
    ns3::QueueSize size;        //!< its size
    double bdpBytes;            //!< the bandwidth-delay product
    uint32_t wirePacketBytes;   //!< a full packet on the wire
    uint32_t packetBytes;       //!< a full packet as discs count it, with IP's header
    MarkingThreshold threshold; //!< above what it is to mark
};

/**
 * @param options the command line, whose attributes win
 * @param situation the disc with its size and packets
 * @return its mean packet size, RED's thresholds, and those of marks
 * @throws UsageError if a threshold does not fit the disc or its size
 */
DiscSettings FollowingSettings(const Options& options, const DiscSituation& situation);

} // namespace tcpsweep

#endif // TCPSWEEP_DISC_SETTINGS_H
