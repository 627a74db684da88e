// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_LINK_CHANNEL_H
#define TCPSWEEP_LINK_CHANNEL_H

#include <ns3/nstime.h>
#include <ns3/point-to-point-channel.h>
#include <ns3/random-variable-stream.h>

#include <array>
#include <cstdint>
#include <optional>

namespace tcpsweep
{

/**
 * A point-to-point link with a separate delay for each direction, which may change, jitter, and
 * late packets.
 *
 * Packets arrive in order, except for packets that are chosen to be late. A packet whose delay is
 * shorter than an earlier packet's arrives together with it at the earliest, as after a handover.
 * On the plain channel, it would overtake the earlier packet. Late packets do not delay others.
 *
 * Without jitter, equal flows at a drop-tail queue synchronize, and their phase decides which flow
 * finds a full queue: Floyd and Jacobson, On Traffic Phase Effects in Packet-Switched Gateways,
 * 1992. They also give the remedy, a random time of up to one packet at the bottleneck.
 */
class LinkChannel : public ns3::PointToPointChannel
{
  public:
    /// @return the type's id
    static ns3::TypeId GetTypeId();

    /**
     * Set the delay of one direction from now on. Before the first call, both directions have the
     * attribute Delay. Afterwards, the other direction keeps its delay, and the attribute is the
     * smaller of the two.
     *
     * @param source the device whose packets have it
     * @param delay the propagation delay
     */
    void SetDelay(ns3::Ptr<ns3::PointToPointNetDevice> source, ns3::Time delay);

    /**
     * @param source the device whose packets get a random delay from zero to a limit, in order
     * @param most the limit
     * @param stream number of the random stream
     */
    void SetJitter(ns3::Ptr<ns3::PointToPointNetDevice> source, ns3::Time most, int64_t stream);

    /**
     * @param source the device that sends packets, some of which are late
     * @param share the probability that a packet is late
     * @param least the least additional delay
     * @param most the largest additional delay
     * @param stream number of the random stream, which gives two numbers for each packet
     */
    void SetReordering(ns3::Ptr<ns3::PointToPointNetDevice> source,
                       double share,
                       ns3::Time least,
                       ns3::Time most,
                       int64_t stream);

    /**
     * @param source a device
     * @return the number of its packets that were late
     */
    uint64_t CountLate(ns3::Ptr<ns3::PointToPointNetDevice> source) const;

    bool TransmitStart(ns3::Ptr<const ns3::Packet> packet,
                       ns3::Ptr<ns3::PointToPointNetDevice> source,
                       ns3::Time txTime) override;

  private:
    /// One direction.
    struct Path
    {
        std::optional<ns3::Time> delay;                 //!< its own delay
        ns3::Ptr<ns3::UniformRandomVariable> jitter;    //!< in seconds; nullptr for none
        ns3::Time lastArrival;                          //!< of the packets in order
        double lateShare{0};                            //!< the probability to be late
        ns3::Time latest;                               //!< the largest additional delay
        ns3::Time least;                                //!< the least
        ns3::Ptr<ns3::UniformRandomVariable> lateDraws; //!< from 0 to 1; nullptr for none
        uint64_t late{0};                               //!< packets that were late
    };

    /**
     * @param source a device of the link
     * @return the index of the direction of its packets
     */
    std::size_t IndexOf(ns3::Ptr<ns3::PointToPointNetDevice> source) const;

    std::array<Path, 2> m_paths; //!< from the first device, from the second
};

} // namespace tcpsweep

#endif // TCPSWEEP_LINK_CHANNEL_H
