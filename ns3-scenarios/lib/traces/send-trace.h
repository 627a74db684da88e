// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_SEND_TRACE_H
#define TCPSWEEP_SEND_TRACE_H

#include "traces/output-files.h"

#include <ns3/node.h>
#include <ns3/nstime.h>
#include <ns3/packet.h>
#include <ns3/sequence-number.h>
#include <ns3/socket.h>
#include <ns3/tcp-header.h>
#include <ns3/tcp-socket-base.h>

#include <cstdint>
#include <map>
#include <optional>

namespace tcpsweep
{

/**
 * Writes a flow's sent and retransmitted packets, the expiries of its retransmission timer, and the
 * time in which something other than its congestion window limited it. Each is a total from zero
 * and has a row whenever it grows. Limited times also have a row at each multiple of 0.1 s, if they
 * grow then. The totals of sent packets have a row at most every 0.1 s, at multiples of that, and
 * at each WriteSent(); they need a FlowTag on the packets when they reach IP.
 */
class SendTrace
{
  public:
    /**
     * @param files the files for the traces
     * @param flow the flow's index
     * @param sender the flow's sender
     */
    SendTrace(OutputFiles& files, uint32_t flow, ns3::Ptr<ns3::Node> sender);

    SendTrace(const SendTrace&) = delete;
    SendTrace& operator=(const SendTrace&) = delete;

    /**
     * Follow the socket from now on.
     *
     * @param socket the socket, not yet connected
     * @param writeBytes bytes that the application writes at a time
     */
    void Follow(ns3::Ptr<ns3::Socket> socket, uint32_t writeBytes);

    /// Follow the socket no more.
    void Leave();

    /**
     * Count a sent segment.
     *
     * @param begin sequence number of its first byte
     * @param size bytes of its payload
     * @param connection which of the flow's connections sends it, if it has several
     */
    void Count(ns3::SequenceNumber32 begin, uint32_t size, uint32_t connection = 0);

    /// @param size bytes of a sent payload that has no sequence number
    void
    CountDatagram(uint32_t size)
    {
        m_payloadBytes += size;
    }

    /// Write the totals of packets sent until now.
    void WriteSent();

  private:
    /// @param visit called for each trace that is needed, with its source's name and its sink
    template <typename Visit>
    void ForEachTrace(Visit visit);

    /**
     * @param packet the payload of a segment that is sent
     * @param header its header
     */
    void Send(ns3::Ptr<const ns3::Packet> packet,
              const ns3::TcpHeader& header,
              ns3::Ptr<const ns3::TcpSocketBase>);
    /**
     * @param packet a packet that the node sends, without its IP header
     * @param ipBytes the size of its IP packet
     */
    void Outgoing(const ns3::Ptr<const ns3::Packet>& packet, uint32_t ipBytes);
    /// Write all totals that grow with time, now and at the end of each period.
    void Tick();
    /**
     * @param before the retransmission timeout before
     * @param now the retransmission timeout
     */
    void RetransmissionTimeout(ns3::Time before, ns3::Time now);
    /// @param now the congestion window, in bytes
    void CongestionWindow(uint32_t, uint32_t now);
    /// @param now the window that the receiver advertises, in bytes
    void ReceiveWindow(uint32_t, uint32_t now);
    /// @param now the bytes in flight
    void InFlight(uint32_t, uint32_t now);

    /// Add the time since the last change to the cause that limited the sender in that time.
    void Settle();

    int32_t m_flow;                        //!< the flow's index
    TraceSeries* m_retransmittedRows;      //!< retransmitted payload
    TraceSeries* m_timeoutsRows;           //!< how often the retransmission timer expired
    TraceSeries* m_receiverRows;           //!< time limited by the receive window
    TraceSeries* m_applicationRows;        //!< time without anything to send
    TraceSeries* m_bufferRows;             //!< time limited by the send buffer
    TraceSeries* m_payloadRows;            //!< payload sent
    TraceSeries* m_ipRows;                 //!< IP bytes sent
    TraceSeries* m_packetsRows;            //!< packets sent
    uint64_t m_payloadBytes{0};            //!< payload sent, repeats included
    uint64_t m_ipBytes{0};                 //!< IP bytes sent, headers included
    uint64_t m_packets{0};                 //!< packets sent
    uint64_t m_writtenPackets{0};          //!< packets sent as of the last row
    uint64_t m_retransmitted{0};           //!< retransmitted payload
    uint64_t m_timeouts{0};                //!< how often the retransmission timer expired
    ns3::Time m_receiver;                  //!< time limited by the receive window
    ns3::Time m_application;               //!< time without anything to send
    ns3::Time m_buffer;                    //!< time limited by the send buffer
    ns3::Ptr<ns3::TcpSocketBase> m_socket; //!< the socket, while it is followed
    /// sequence number after the last byte sent, of each connection that has sent any
    std::map<uint32_t, ns3::SequenceNumber32> m_sent;
    uint32_t m_segmentBytes{0};              //!< payload of a full segment
    uint32_t m_writeBytes{0};                //!< bytes that the application writes at a time
    uint32_t m_cwnd{0};                      //!< the congestion window
    std::optional<uint32_t> m_receiveWindow; //!< the advertised window, after the handshake
    uint32_t m_inFlight{0};                  //!< bytes in flight
    ns3::Time m_since;                       //!< when Settle() was called last
    ns3::SequenceNumber32 m_head;            //!< the first byte in the send buffer after that
};

} // namespace tcpsweep

#endif // TCPSWEEP_SEND_TRACE_H
