// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_CE_COUNTER_H
#define TCPSWEEP_CE_COUNTER_H

#include <ns3/packet.h>
#include <ns3/ptr.h>
#include <ns3/tcp-header.h>
#include <ns3/tcp-socket-base.h>
#include <ns3/tcp-socket-state.h>

#include <cstdint>

namespace tcpsweep
{

/**
 * Accurate feedback of CE marks, in the sense of RFC 9768: a receiver counts the packets with CE
 * and their payload, and each of its packets carries both counts. A lost ACK loses nothing, because
 * the next one has the counts too.
 *
 * ns-3's TCP header has neither the bit AE nor the AccECN options, so the counts travel as a tag of
 * ns-3's packet. They are not negotiated, and they take no bytes on the wire.
 *
 * An end of a connection is a congestion control's socket. ns-3 tells a congestion control of each
 * mark, except those on sequence numbers below the last marked one, so these are not counted.
 */
class CeCounter
{
  public:
    /// The marks so far.
    struct Counts
    {
        uint32_t packets{0}; //!< packets with CE; r.cep of RFC 9768, section 3.2
        uint32_t bytes{0};   //!< their payload; r.ceb of RFC 9768, section 3.2
    };

    CeCounter() = default;
    /// A copied congestion control belongs to another socket.
    CeCounter(const CeCounter&);
    CeCounter& operator=(const CeCounter&) = delete;

    /**
     * Find the socket on the present node, and follow its packets. Later calls do nothing.
     *
     * @param tcb the socket's state
     */
    void Follow(ns3::Ptr<const ns3::TcpSocketState> tcb);

    /// The packet that arrives has CE.
    void Mark();

    /// @return the marks that the other end counted, as far as its packets have told
    Counts Reported() const;

  private:
    /// A packet arrives, after Mark(). @param packet its payload
    void Receive(ns3::Ptr<const ns3::Packet> packet,
                 const ns3::TcpHeader&,
                 ns3::Ptr<const ns3::TcpSocketBase>);
    /// A packet leaves. @param packet its payload
    void Send(ns3::Ptr<const ns3::Packet> packet,
              const ns3::TcpHeader&,
              ns3::Ptr<const ns3::TcpSocketBase>);

    Counts m_counted;       //!< marks counted here
    Counts m_reported;      //!< marks counted at the other end
    bool m_isMarked{false}; //!< whether the packet that arrives has CE
    bool m_follows{false};  //!< whether the socket is known
};

} // namespace tcpsweep

#endif // TCPSWEEP_CE_COUNTER_H
