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
 * A point-to-point device that sends when a trace says so, and has no rate.
 *
 * It shares opportunities among packets as Mahimahi does (link_queue.cc): an opportunity takes
 * packets from the queue until its bytes are used up or the queue is empty, and what is left of it
 * then is lost. A packet that does not fit into what is left goes on in the next ones, and leaves,
 * as a whole, at the time of the one that takes its last byte. A packet that comes at the time of
 * an opportunity comes after it.
 *
 * An opportunity has OpportunityTrace::OPPORTUNITY_BYTES of IP packets. mm-link counts the four
 * bytes that Linux's TUN device puts before each packet, and has 1504 for them, so a full packet
 * takes one opportunity here and there.
 *
 * Trace sources, the queue, and the flow control towards a queue disc are those of the plain
 * device: PhyTxBegin as a packet leaves the queue, with its first byte, PhyTxEnd with its last one.
 * While nothing waits, there is no event.
 */
class OpportunityDevice : public ns3::PointToPointNetDevice
{
  public:
    /// @return the type's id
    static ns3::TypeId GetTypeId();

    OpportunityDevice();

    /// @param trace when it can send, to be set before packets come
    void SetTrace(std::shared_ptr<const OpportunityTrace> trace);

    /// @return when it can send; nullptr before it is set
    std::shared_ptr<const OpportunityTrace> GetTrace() const;

    /// @return opportunities so far that took a byte or more
    uint64_t GetUsedOpportunities() const;

    bool
    Send(ns3::Ptr<ns3::Packet> packet, const ns3::Address& dest, uint16_t protocolNumber) override;

  private:
    /// What it is doing.
    enum class State
    {
        IDLE,    //!< nothing waits
        WAITING, //!< for the time of the opportunity m_next
        SERVING, //!< is using opportunities up
        REFILL   //!< has emptied its queue, and lets the queue disc fill it
    };

    /// Wait for the opportunity m_next.
    void Wait();

    /// Use up the opportunities of this time.
    void Serve();

    /**
     * Begin with the next packet of the queue.
     *
     * @return whether there is one
     */
    bool Begin();

    /// Put bytes of the packet into this opportunity.
    void Fill();

    std::shared_ptr<const OpportunityTrace> m_trace; //!< when it can send
    State m_state{State::IDLE};                      //!< what it is doing
    uint64_t m_next{0};                              //!< the first opportunity not yet taken
    uint32_t m_room{0};                              //!< bytes left of the opportunity before it
    uint64_t m_used{0};                              //!< opportunities that took a byte
    ns3::Ptr<ns3::Packet> m_packet;                  //!< the packet being sent
    uint32_t m_left{0};                              //!< its bytes still to send
    ns3::EventId m_event;                            //!< the next call of Serve()
};

} // namespace tcpsweep

#endif // TCPSWEEP_OPPORTUNITY_DEVICE_H
