// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_TCP_FLOW_H
#define TCPSWEEP_TCP_FLOW_H

#include "flows/flow.h"
#include "traces/delivery-trace.h"
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

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tcpsweep
{

/// A TCP flow between sockets of ns-3, with its traces.
class TcpFlow : public Flow
{
  public:
    /**
     * Install the flow's applications and traces.
     *
     * @param parameters its parameters, with nodes that have addresses
     * @param files where traces go
     */
    TcpFlow(const Parameters& parameters, OutputFiles& files);

    std::vector<std::string>
    Unavailable() const override
    {
        return SocketTrace::Unavailable();
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
     * @param packet the data that the receiving application has read
     * @param from the sender's address
     */
    void Receive(ns3::Ptr<const ns3::Packet> packet, const ns3::Address& from);

    ns3::Ptr<ns3::PacketSink> m_sink;                   //!< the receiving application
    ns3::Ptr<ns3::Application> m_source;                //!< the sending application
    std::function<ns3::Ptr<ns3::Socket>()> m_getSocket; //!< its socket, once it has started
    FlowTagger m_tagger;                                //!< tags its packets
    SocketTrace m_socketTrace;                          //!< follows its socket
    SendTrace m_sendTrace;                              //!< follows what its socket sends
    DeliveryTrace m_deliveryTrace;                      //!< follows its packets' arrival
    TraceSeries* m_receivedRows;                        //!< received payload
};

} // namespace tcpsweep

#endif // TCPSWEEP_TCP_FLOW_H
