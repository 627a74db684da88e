// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_FLOW_TAG_H
#define TCPSWEEP_FLOW_TAG_H

#include <ns3/node.h>
#include <ns3/nstime.h>
#include <ns3/packet.h>
#include <ns3/tag.h>

#include <cstdint>

namespace tcpsweep
{

/**
 * Marks a packet with the flow of its data, and the time when its sender's IP layer sent it.
 *
 * A packet's Uid does not suffice: a retransmitted segment has the Uid of its first transmission.
 */
class FlowTag : public ns3::Tag
{
  public:
    FlowTag() = default;

    /**
     * @param flow the flow's index; -2 less that for its acknowledgments
     * @param sent when its sender's IP layer sent it
     */
    FlowTag(int32_t flow, ns3::Time sent);

    /// @return as given; -1 in a tag that was not set
    int32_t
    Flow() const
    {
        return m_flow;
    }

    /// @return when the sender's IP layer sent it
    ns3::Time
    Sent() const
    {
        return m_sent;
    }

    /// @return the type's id
    static ns3::TypeId GetTypeId();
    ns3::TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(ns3::TagBuffer buffer) const override;
    void Deserialize(ns3::TagBuffer buffer) override;
    void Print(std::ostream& os) const override;

  private:
    int32_t m_flow{-1}; //!< the flow's index
    ns3::Time m_sent;   //!< when it was sent
};

/**
 * @param packet a packet
 * @return the index of the flow that its data belong to; -1 for none
 */
int32_t FlowOf(ns3::Ptr<const ns3::Packet> packet);

/**
 * @param flow a flow's index
 * @return the number in the tags of its acknowledgments, below the indexes of flows and of no flow
 */
constexpr int32_t
AcksOf(uint32_t flow)
{
    return -2 - static_cast<int32_t>(flow);
}

/// Tags the TCP packets that a node sends from one port.
class FlowTagger
{
  public:
    /**
     * @param sender the flow's sender
     * @param port the port that it sends from
     * @param flow the flow's index
     */
    FlowTagger(ns3::Ptr<ns3::Node> sender, uint16_t port, uint32_t flow);

    FlowTagger(const FlowTagger&) = delete;
    FlowTagger& operator=(const FlowTagger&) = delete;

  private:
    /// @param segment a TCP segment that the node sends
    void Tag(const ns3::Ptr<const ns3::Packet>& segment) const;

    uint16_t m_port; //!< the port that the flow's sender sends from
    int32_t m_flow;  //!< the flow's index
};

} // namespace tcpsweep

#endif // TCPSWEEP_FLOW_TAG_H
