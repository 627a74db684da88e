// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_QUIC_END_H
#define TCPSWEEP_QUIC_END_H

#include "quic/quic-stack.h"

#include <ns3/address.h>
#include <ns3/event-id.h>
#include <ns3/node.h>
#include <ns3/socket.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tcpsweep
{

/// One end of a QUIC connection: a UDP socket of a node, and the stack's end behind it.
class QuicEnd
{
  public:
    /// The parameters of an end.
    struct Parameters
    {
        const quic_stack* stack;  //!< its stack
        std::string control;      //!< its congestion control
        uint64_t seed;            //!< of its random numbers
        uint64_t windowBytes;     //!< of flow control
        uint32_t datagramBytes;   //!< the largest payload of UDP
        bool isServer;            //!< whether the other end begins
        bool ecn;                 //!< whether its packets may be marked
        int32_t tag;              //!< the number in the FlowTag of its packets
        ns3::Ptr<ns3::Node> node; //!< its node
        ns3::Address local;       //!< its address and port
        ns3::Address remote;      //!< the other end's
    };

    /**
     * @param parameters its parameters
     * @param act called after each event: the application takes and offers data
     * @param sent called with the payload's bytes of each datagram, before it is sent
     */
    QuicEnd(Parameters parameters,
            std::function<void()> act,
            std::function<void(uint32_t bytes)> sent);

    ~QuicEnd();

    QuicEnd(const QuicEnd&) = delete;
    QuicEnd& operator=(const QuicEnd&) = delete;

    /// Open it now.
    void Open();

    /// Neither send nor receive any more.
    void Silence();

    /// Let the application act, send what there is to send, and wait for the next timer.
    void Settle();

    /**
     * @param bytes bytes that the application offers
     * @param isLast whether nothing follows
     * @return how many of them it takes
     */
    uint64_t Write(uint64_t bytes, bool isLast);

    /// @return bytes that have arrived in order since the last call
    uint64_t Read();

    /// @return its state; it is open
    quic_state State() const;

    /// @return whether it is open
    bool
    IsOpen() const
    {
        return m_end != nullptr;
    }

  private:
    /// @param socket its socket, with datagrams
    void Receive(ns3::Ptr<ns3::Socket> socket);

    /// Send all that the stack has to send.
    void Transmit();

    /// Tell the stack that its timer has expired.
    void Expire();

    Parameters m_parameters;              //!< its parameters
    std::function<void()> m_act;          //!< the application
    std::function<void(uint32_t)> m_sent; //!< counts its packets
    quic_end* m_end{nullptr};             //!< the stack's end
    ns3::Ptr<ns3::Socket> m_socket;       //!< its socket
    ns3::EventId m_timer;                 //!< the next expiry
    uint64_t m_expires{QUIC_STACK_NONE};  //!< when that is
    std::vector<uint8_t> m_buffer;        //!< a payload
    bool m_isSilent{false};               //!< whether it neither sends nor receives
};

} // namespace tcpsweep

#endif // TCPSWEEP_QUIC_END_H
