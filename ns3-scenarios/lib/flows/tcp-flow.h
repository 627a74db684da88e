// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_TCP_FLOW_H
#define TCPSWEEP_TCP_FLOW_H

#include "network/direction.h"
#include "network/flow-ends.h"
#include "traces/delivery-trace.h"
#include "traces/flow-tag.h"
#include "traces/output-files.h"
#include "traces/send-trace.h"
#include "traces/socket-trace.h"

#include <ns3/address.h>
#include <ns3/application.h>
#include <ns3/nstime.h>
#include <ns3/packet.h>
#include <ns3/socket.h>
#include <ns3/tcp-socket.h>
#include <ns3/type-id.h>

#include <cstdint>
#include <functional>
#include <optional>

namespace tcpsweep
{

/// A TCP flow from one node to another, and what is traced of it.
class TcpFlow
{
  public:
    /// What determines a flow.
    struct Parameters
    {
        uint32_t index;             //!< among all flows
        FlowEnds ends;              //!< from where to where
        uint16_t sourcePort;        //!< the sender's port, which none of its other flows has
        uint16_t destinationPort;   //!< the receiver's, likewise
        ns3::TypeId variant;        //!< congestion control of both
        uint32_t segmentBytes;      //!< payload of a full segment
        uint32_t socketBufferBytes; //!< size of its sockets' buffers
        uint64_t bytes;             //!< what is sent; 0 for as much as the time allows
        double packetRate;          //!< packets offered per second; 0 for as fast as TCP lets it
        ns3::Time start;            //!< when it starts
        ns3::Time stop;             //!< when it leaves; zero for never
        bool sharesSender;          //!< whether other flows begin or end at its sender
        Direction direction;        //!< of the bottleneck that its data take
    };

    /**
     * Install the flow's applications and traces.
     *
     * @param parameters what determines it; its nodes have their addresses
     * @param files where traces go
     */
    TcpFlow(const Parameters& parameters, OutputFiles& files);

    TcpFlow(const TcpFlow&) = delete;
    TcpFlow& operator=(const TcpFlow&) = delete;

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

    /// @return when the sender's connection was established; nothing where it never was
    std::optional<ns3::Time>
    Established() const
    {
        return m_established;
    }

    /// @return when the receiving application had read all of it; nothing where it has not, or
    /// there is no end
    std::optional<ns3::Time>
    Finish() const
    {
        return m_finish;
    }

  private:
    /// @param source the sending application
    template <typename Application>
    void SendBy(ns3::Ptr<Application> source);

    /// What happens at the flow's start, its socket made.
    void Start();

    /// @param now the state that the sender's connection comes to
    void ChangeState(ns3::TcpSocket::TcpStates_t, ns3::TcpSocket::TcpStates_t now);

    /**
     * Take the sender off the network, or, where it has other flows, what this one sends. Closing
     * the connection would not do: TCP would still send the megabytes that its buffer holds.
     */
    void Leave();

    /**
     * @param packet what the receiving application has read
     * @param from who sent it
     */
    void Receive(ns3::Ptr<const ns3::Packet> packet, const ns3::Address& from);

    Parameters m_parameters;                            //!< what determines the flow
    ns3::Ptr<ns3::Application> m_source;                //!< the sending application
    std::function<ns3::Ptr<ns3::Socket>()> m_getSocket; //!< its socket, once it has started
    FlowTagger m_tagger;                                //!< tags its packets
    SocketTrace m_socketTrace;                          //!< follows its socket
    SendTrace m_sendTrace;                              //!< follows what that sends
    DeliveryTrace m_deliveryTrace;                      //!< follows its packets' arrival
    RowFile* m_receivedFile;                            //!< received payload
    uint64_t m_received{0};                             //!< received payload, in bytes
    std::optional<ns3::Time> m_established;             //!< when the connection was established
    std::optional<ns3::Time> m_finish;                  //!< when all of it was received
};

} // namespace tcpsweep

#endif // TCPSWEEP_TCP_FLOW_H
