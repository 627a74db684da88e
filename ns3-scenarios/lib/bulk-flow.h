// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_BULK_FLOW_H
#define TCPSWEEP_BULK_FLOW_H

#include "delivery-trace.h"
#include "direction.h"
#include "flow-ends.h"
#include "flow-tag.h"
#include "output-files.h"
#include "send-trace.h"
#include "socket-trace.h"

#include <ns3/address.h>
#include <ns3/bulk-send-application.h>
#include <ns3/nstime.h>
#include <ns3/packet.h>
#include <ns3/type-id.h>

#include <cstdint>
#include <optional>

namespace tcpsweep
{

/// A flow from one node to another that sends as fast as TCP lets it, and what is traced of it.
class BulkFlow
{
  public:
    /// What determines a flow.
    struct Parameters
    {
        uint32_t index;             //!< among all flows
        FlowEnds ends;              //!< from where to where
        ns3::TypeId variant;        //!< congestion control of both
        uint32_t segmentBytes;      //!< payload of a full segment
        uint32_t socketBufferBytes; //!< size of its sockets' buffers
        uint64_t bytes;             //!< what is sent; 0 for as much as the time allows
        ns3::Time start;            //!< when it starts
        ns3::Time stop;             //!< when it leaves; zero for never
        Direction direction;        //!< of the bottleneck that its data take
    };

    /**
     * Install the flow's applications and traces.
     *
     * @param parameters what determines it; its nodes have their addresses
     * @param files where traces go
     */
    BulkFlow(const Parameters& parameters, OutputFiles& files);

    BulkFlow(const BulkFlow&) = delete;
    BulkFlow& operator=(const BulkFlow&) = delete;

    /// @return what determines the flow
    const Parameters&
    Get() const
    {
        return m_parameters;
    }

    /// @return payload that the receiving application has read
    uint64_t
    ReceivedBytes() const
    {
        return m_received;
    }

    /// @return when the receiving application had read all of it; nothing where it has not, or
    /// there is no end
    std::optional<ns3::Time>
    Finish() const
    {
        return m_finish;
    }

    /// @return the sender's port; 0 before the flow's start
    uint16_t
    SourcePort() const
    {
        return m_sourcePort;
    }

    /// The receiver's port.
    static constexpr uint16_t DESTINATION_PORT = 5000;

  private:
    /// What happens at the flow's start, its socket made.
    void Start();

    /**
     * Take the sender off the network. Closing its connection would not do: TCP would still send
     * the megabytes that its buffer holds.
     */
    void Leave();

    /**
     * @param packet what the receiving application has read
     * @param from who sent it
     */
    void Receive(ns3::Ptr<const ns3::Packet> packet, const ns3::Address& from);

    Parameters m_parameters;                     //!< what determines the flow
    ns3::Ptr<ns3::BulkSendApplication> m_source; //!< the sending application
    FlowTagger m_tagger;                         //!< tags its packets
    SocketTrace m_socketTrace;                   //!< follows its socket
    SendTrace m_sendTrace;                       //!< follows what that sends
    DeliveryTrace m_deliveryTrace;               //!< follows its packets' arrival
    RowFile* m_receivedFile;                     //!< received payload
    uint64_t m_received{0};                      //!< received payload, in bytes
    std::optional<ns3::Time> m_finish;           //!< when all of it was received
    uint16_t m_sourcePort{0};                    //!< the sender's port
};

} // namespace tcpsweep

#endif // TCPSWEEP_BULK_FLOW_H
