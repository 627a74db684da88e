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
 * A point-to-point link whose directions have delays of their own, which may change, jitter, and
 * packets that come late.
 *
 * Packets arrive in order, unless they are chosen to come late: a packet whose delay is shorter
 * than that of one before it arrives with that one at the earliest, as behind a handover. On the
 * plain channel it would overtake it. A packet that is late keeps no other waiting.
 *
 * Without jitter, equal flows at a drop-tail queue fall into step, and their phase decides which
 * flow meets a full queue: Floyd and Jacobson, On Traffic Phase Effects in Packet-Switched
 * Gateways, 1992; the remedy, a random time of up to one packet at the bottleneck, is theirs too.
 */
class LinkChannel : public ns3::PointToPointChannel
{
  public:
    /// @return the type's id
    static ns3::TypeId GetTypeId();

    /**
     * Give one direction a delay, from now on. Without it, both have the attribute Delay; after
     * it, the other direction keeps what it had, and the attribute is the smaller of the two.
     *
     * @param source the device whose packets have it
     * @param delay the propagation delay
     */
    void SetDelay(ns3::Ptr<ns3::PointToPointNetDevice> source, ns3::Time delay);

    /**
     * @param source the device whose packets are delayed by a draw from zero to a limit, in order
     * @param most the limit
     * @param stream number of the random stream
     */
    void SetJitter(ns3::Ptr<ns3::PointToPointNetDevice> source, ns3::Time most, int64_t stream);

    /**
     * @param source the device of whose packets some come late
     * @param share the probability of it
     * @param least the least time that they come later
     * @param most the longest
     * @param stream number of the random stream, which is drawn from twice for each packet
     */
    void SetReordering(ns3::Ptr<ns3::PointToPointNetDevice> source,
                       double share,
                       ns3::Time least,
                       ns3::Time most,
                       int64_t stream);

    /**
     * @param source a device
     * @return how many of its packets have come late
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
        ns3::Time latest;                               //!< the longest that a packet is late
        ns3::Time least;                                //!< the least
        ns3::Ptr<ns3::UniformRandomVariable> lateDraws; //!< from 0 to 1; nullptr for none
        uint64_t late{0};                               //!< packets that came late
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
