// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_BUFFER_H
#define TCPSWEEP_BUFFER_H

#include <ns3/data-rate.h>
#include <ns3/nstime.h>
#include <ns3/point-to-point-net-device.h>
#include <ns3/queue-disc.h>
#include <ns3/queue-size.h>
#include <ns3/type-id.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * A link's buffer: its size in options, and its queue or queue disc.
 */

namespace tcpsweep
{

/// The size of a buffer on the command line.
struct BufferSize
{
    /// The unit of the size.
    enum Unit
    {
        PACKETS,
        BYTES,
        BDP, //!< bandwidth-delay products
    };

    double amount; //!< the amount
    Unit unit;     //!< its unit

    /**
     * @param bdpBytes the bandwidth-delay product
     * @param wirePacketBytes a full packet on the wire
     * @return the size in ns-3's form; bandwidth-delay products become packets, because discs such
     * as FqCoDel count only packets
     * @throws BadValue if the buffer would hold no packet
     */
    ns3::QueueSize Resolve(double bdpBytes, uint32_t wirePacketBytes) const;
};

/**
 * @param text a size such as 100p or 64kB
 * @return the size
 */
BufferSize ParseBufferSize(const std::string& text);

/**
 * @param text a size such as 100p, 64kB or 1bdp
 * @return the size
 */
BufferSize ParseQueueSize(const std::string& text);

/**
 * @param size a size in packets or bytes
 * @param wirePacketBytes a full packet on the wire
 * @return its bytes if all packets are full
 */
uint64_t InBytes(ns3::QueueSize size, uint32_t wirePacketBytes);

/// Attributes of a queue disc with their values.
using DiscSettings = std::vector<std::pair<std::string, std::string>>;

/// The buffer of one end of a link.
struct Buffer
{
    ns3::QueueSize size;       //!< of the disc, or of the device's queue if there is no disc
    bool hasDisc{false};       //!< whether there is a queue disc
    ns3::TypeId disc;          //!< its type
    ns3::QueueSize deviceSize; //!< of the device's queue under the disc
    ns3::DataRate rate;        //!< the link's rate, which RED needs to know
    ns3::Time delay;           //!< the link's delay, which RED needs to know
    bool ecn{false};           //!< whether the disc marks packets rather than dropping them
    bool salted{false};        //!< whether the disc's hash of flows gets a random salt
    DiscSettings settings;     //!< other settings of the disc

    /// The attributes to set on discs that have them.
    static constexpr const char* DISC_ATTRIBUTES[] = {"MaxSize",
                                                      "LinkBandwidth",
                                                      "LinkDelay",
                                                      "UseEcn"};

    /// The attribute of a disc that hashes flows, which is added to the hash.
    static constexpr const char* SALT = "Perturbation";

    /**
     * Give a device this buffer, before the device has an address.
     *
     * @param device the device
     * @param number the buffer's number, from 0, with two for each link: even for the forward
     * direction; each buffer has its own random streams
     * @return the queue disc; nullptr if there is only the device's queue
     */
    ns3::Ptr<ns3::QueueDisc>
    Install(ns3::Ptr<ns3::PointToPointNetDevice> device, uint32_t number) const;

    /**
     * @throws BadValue if the disc has no size, or refuses this one
     */
    void Check() const;

  private:
    /// @return the disc, set up
    ns3::Ptr<ns3::QueueDisc> MakeDisc() const;
};

} // namespace tcpsweep

#endif // TCPSWEEP_BUFFER_H
