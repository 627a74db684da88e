// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_CONDITIONED_QUEUES_H
#define TCPSWEEP_CONDITIONED_QUEUES_H

#include "network/ack-filter.h"
#include "network/token-bucket.h"

#include <ns3/drop-tail-queue.h>
#include <ns3/packet.h>
#include <ns3/queue-disc.h>

#include <cstdint>
#include <memory>
#include <optional>

/**
 * @file
 * The queues that Conditioner installs.
 */

namespace tcpsweep
{

/// The conditions before and after a queue.
struct Conditions
{
    /// The counts of packets so far.
    struct Counts
    {
        uint64_t policedPackets{0}; //!< dropped by the policer
        uint64_t thinnedPackets{0}; //!< ACKs dropped because newer ones replace them
    };

    /**
     * @param bytes a packet's bytes on the wire
     * @return whether it may enter the queue
     */
    bool Admit(uint32_t bytes);

    /**
     * @param packet a packet that has left the queue
     * @return whether to drop it
     */
    bool Thin(const ns3::Packet* packet);

    std::optional<TokenBucket> policer; //!< before the queue
    std::optional<AckFilter> filter;    //!< the filter after the queue
    Counts counts;                      //!< the counts of dropped packets
};

/// A device's drop-tail queue with conditions.
class ConditionedQueue : public ns3::DropTailQueue<ns3::Packet>
{
  public:
    /// @return the type's id
    static ns3::TypeId GetTypeId();

    /// @param conditions the conditions
    void SetConditions(std::shared_ptr<Conditions> conditions);

    bool Enqueue(ns3::Ptr<ns3::Packet> packet) override;
    ns3::Ptr<ns3::Packet> Dequeue() override;

  private:
    std::shared_ptr<Conditions> m_conditions; //!< the conditions
};

/// A queue disc with conditions, around another disc, its child.
class ConditionedDisc : public ns3::QueueDisc
{
  public:
    /// @return the type's id
    static ns3::TypeId GetTypeId();

    ConditionedDisc();

    /// @param conditions the conditions
    void SetConditions(std::shared_ptr<Conditions> conditions);

  private:
    bool DoEnqueue(ns3::Ptr<ns3::QueueDiscItem> item) override;
    ns3::Ptr<ns3::QueueDiscItem> DoDequeue() override;
    bool CheckConfig() override;
    void InitializeParams() override;

    /// @return the disc inside
    ns3::Ptr<ns3::QueueDisc> Child() const;

    /// @param item a packet that was dropped after it was accepted
    void Forget(ns3::Ptr<const ns3::QueueDiscItem> item, const char*);

    std::shared_ptr<Conditions> m_conditions; //!< the conditions
    const ns3::Packet* m_entering{nullptr};   //!< the packet that is being enqueued
};

} // namespace tcpsweep

#endif // TCPSWEEP_CONDITIONED_QUEUES_H
