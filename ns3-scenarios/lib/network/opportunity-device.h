// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_OPPORTUNITY_DEVICE_H
#define TCPSWEEP_OPPORTUNITY_DEVICE_H

#include "network/opportunity-trace.h"

#include <ns3/event-id.h>
#include <ns3/packet.h>
#include <ns3/point-to-point-net-device.h>

#include <cstdint>
#include <memory>

namespace tcpsweep
{

/**
 * A point-to-point device that sends at the times in a trace, and has no rate.
 *
 * It shares opportunities among packets as Mahimahi does (link_queue.cc). An opportunity takes
 * packets from the queue until its bytes are used up or the queue is empty; unused bytes are lost.
 * A packet that does not fit continues in the next opportunities. It leaves as a whole, at the time
 * of the opportunity that takes its last byte. A packet that arrives at the time of an opportunity
 * comes after it.
 *
 * An opportunity has OpportunityTrace::OPPORTUNITY_BYTES of IP packets. mm-link also counts the
 * four bytes that Linux's TUN device puts before each packet, and has 1504 bytes. So a full packet
 * takes one opportunity both here and in mm-link.
 *
 * Trace sources, the queue, and the flow control towards a queue disc are the same as for the plain
 * device. PhyTxBegin is fired when a packet leaves the queue, with its first byte, and PhyTxEnd
 * with its last byte. While no packet waits, there is no event.
 */
class OpportunityDevice : public ns3::PointToPointNetDevice
{
  public:
    /// @return the type's id
    static ns3::TypeId GetTypeId();

    OpportunityDevice();

    /// @param trace the times when it can send; set it before packets arrive
    void SetTrace(std::shared_ptr<const OpportunityTrace> trace);

    /// @return the times when it can send; nullptr before they are set
    std::shared_ptr<const OpportunityTrace> GetTrace() const;

    /// @return the number of opportunities that have carried a byte
    uint64_t GetUsedOpportunities() const;

    bool
    Send(ns3::Ptr<ns3::Packet> packet, const ns3::Address& dest, uint16_t protocolNumber) override;

  private:
    /// The device's states.
    enum class State
    {
        IDLE,    //!< nothing waits
        WAITING, //!< for the time of the opportunity m_next
        SERVING, //!< is using opportunities up
        REFILL   //!< its queue is empty, and the queue disc fills it
    };

    /// Wait for the opportunity m_next.
    void Wait();

    /// Use up the opportunities of this time.
    void Serve();

    /**
     * Begin to send the next packet of the queue.
     *
     * @return whether there is one
     */
    bool Begin();

    /// Put bytes of the packet into this opportunity.
    void Fill();

    std::shared_ptr<const OpportunityTrace> m_trace; //!< the times when it can send
    State m_state{State::IDLE};                      //!< its state
    uint64_t m_next{0};                              //!< the first opportunity not yet taken
    uint32_t m_room{0};                              //!< bytes left of the opportunity before it
    uint64_t m_used{0};                              //!< opportunities that have carried a byte
    ns3::Ptr<ns3::Packet> m_packet;                  //!< the packet being sent
    uint32_t m_left{0};                              //!< its bytes still to send
    ns3::EventId m_event;                            //!< the next call of Serve()
};

} // namespace tcpsweep

#endif // TCPSWEEP_OPPORTUNITY_DEVICE_H
