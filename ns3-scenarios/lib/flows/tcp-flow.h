// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_TCP_FLOW_H
#define TCPSWEEP_TCP_FLOW_H

#include "network/direction.h"
#include "network/flow-ends.h"
#include "traces/delivery-trace.h"
#include "traces/flow-counters.h"
#include "traces/flow-tag.h"
#include "traces/output-files.h"
#include "traces/send-trace.h"
#include "traces/socket-trace.h"

#include <ns3/address.h>
#include <ns3/application.h>
#include <ns3/nstime.h>
#include <ns3/packet-sink.h>
#include <ns3/packet.h>
#include <ns3/socket.h>
#include <ns3/tcp-socket.h>
#include <ns3/type-id.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tcpsweep
{

/// A TCP flow from one node to another, with its traces.
class TcpFlow
{
  public:
    /// The parameters of a flow.
    struct Parameters
    {
        uint32_t index{0};           //!< its number among all flows
        std::string group;           //!< the name of the flows that it is one of, if they have one
        FlowEnds ends;               //!< its ends
        uint16_t sourcePort{0};      //!< the sender's port, which none of its other flows has
        uint16_t destinationPort{0}; //!< the receiver's port, which none of its other flows has
        ns3::TypeId variant;         //!< congestion control of both ends
        std::optional<int64_t> stream;       //!< random stream of the sender's congestion control;
                                             //!< nothing to leave what the attribute says
        uint32_t segmentBytes{0};            //!< payload of a full segment
        uint32_t socketBufferBytes{0};       //!< size of its sockets' buffers
        std::optional<uint32_t> delayedAcks; //!< segments of which the receiver acknowledges one;
                                             //!< nothing for what all sockets have
        std::optional<ns3::Time> delayedAckTimeout; //!< after what time it acknowledges each
        bool hasOwnBuffers{false}; //!< whether the size of its buffers is not all sockets'
        uint64_t bytes{0};         //!< payload to send; 0 for no limit
        double packetRate{0};      //!< packets offered per second; 0 for as fast as TCP allows
        ns3::Time start;           //!< when it starts
        ns3::Time stop;            //!< when it leaves; zero for never
        bool sharesSender{false};  //!< whether other flows begin or end at its sender
        Direction direction{Direction::FORWARD}; //!< which direction of the bottleneck its data
                                                 //!< take
        std::optional<ns3::Time> countUntil; //!< where its packets are counted: those sent by then
                                             //!< and not received are lost
    };

    /**
     * Install the flow's applications and traces.
     *
     * @param parameters its parameters, with nodes that have addresses
     * @param files where traces go
     */
    TcpFlow(const Parameters& parameters, OutputFiles& files);

    TcpFlow(const TcpFlow&) = delete;
    TcpFlow& operator=(const TcpFlow&) = delete;

    /// @return the flow's parameters
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

    /// @return when the sender's connection was established; nothing if it never was
    std::optional<ns3::Time>
    Established() const
    {
        return m_established;
    }

    /// @return when the receiving application had read all bytes; nothing if it has not, or the
    /// flow has no end
    std::optional<ns3::Time>
    Finish() const
    {
        return m_finish;
    }

    /// @return the counters of its packets; nullptr if they are not counted
    const FlowCounters*
    Counters() const
    {
        return m_counters ? &*m_counters : nullptr;
    }

  private:
    /// @param source the sending application
    template <typename Application>
    void SendBy(ns3::Ptr<Application> source);

    /// Give the receiver's socket, which listens by now, what it has of its own: those that it
    /// accepts are its copies.
    void SetUpReceiver();

    /// Follow the flow's socket, which exists from its start on.
    void Start();

    /// @param now the new state of the sender's connection
    void ChangeState(ns3::TcpSocket::TcpStates_t, ns3::TcpSocket::TcpStates_t now);

    /**
     * Take the sender off the network, or, if it has other flows, drop what this one sends. Closing
     * the connection does not suffice: TCP would still send the megabytes in its buffer.
     */
    void Leave();

    /**
     * @param packet what the receiving application has read
     * @param from the sender's address
     */
    void Receive(ns3::Ptr<const ns3::Packet> packet, const ns3::Address& from);

    Parameters m_parameters;                            //!< the flow's parameters
    ns3::Ptr<ns3::PacketSink> m_sink;                   //!< the receiving application
    ns3::Ptr<ns3::Application> m_source;                //!< the sending application
    std::function<ns3::Ptr<ns3::Socket>()> m_getSocket; //!< its socket, once it has started
    FlowTagger m_tagger;                                //!< tags its packets
    std::optional<FlowCounters> m_counters; //!< counts its packets, if that is asked for
    SocketTrace m_socketTrace;              //!< follows its socket
    SendTrace m_sendTrace;                  //!< follows what its socket sends
    DeliveryTrace m_deliveryTrace;          //!< follows its packets' arrival
    TraceSeries* m_receivedRows;            //!< received payload
    uint64_t m_received{0};                 //!< received payload, in bytes
    std::optional<ns3::Time> m_established; //!< when the connection was established
    std::optional<ns3::Time> m_finish;      //!< when all bytes were received
};

} // namespace tcpsweep

#endif // TCPSWEEP_TCP_FLOW_H
