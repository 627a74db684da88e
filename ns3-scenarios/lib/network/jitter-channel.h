// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_JITTER_CHANNEL_H
#define TCPSWEEP_JITTER_CHANNEL_H

#include <ns3/nstime.h>
#include <ns3/point-to-point-channel.h>
#include <ns3/random-variable-stream.h>

#include <cstdint>

namespace tcpsweep
{

/**
 * A point-to-point link that delays each packet of one direction by a random time and keeps their
 * order.
 *
 * Without it, equal flows at a drop-tail queue fall into step, and their phase decides which flow
 * meets a full queue: Floyd and Jacobson, On Traffic Phase Effects in Packet-Switched Gateways,
 * 1992; the remedy, a random time of up to one packet at the bottleneck, is theirs too.
 */
class JitterChannel : public ns3::PointToPointChannel
{
  public:
    /// @return the type's id
    static ns3::TypeId GetTypeId();

    /**
     * @param source the device whose packets are delayed
     * @param most the longest delay
     * @param stream number of the random stream
     */
    void SetJitter(ns3::Ptr<ns3::PointToPointNetDevice> source, ns3::Time most, int64_t stream);

    bool TransmitStart(ns3::Ptr<const ns3::Packet> packet,
                       ns3::Ptr<ns3::PointToPointNetDevice> source,
                       ns3::Time txTime) override;

  private:
    ns3::Ptr<ns3::PointToPointNetDevice> m_source; //!< whose packets are delayed
    ns3::Ptr<ns3::UniformRandomVariable> m_jitter; //!< the delay, in seconds
    ns3::Time m_lastArrival;                       //!< when the last packet arrives
};

} // namespace tcpsweep

#endif // TCPSWEEP_JITTER_CHANNEL_H
