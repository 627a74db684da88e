// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_PACKET_SOURCE_H
#define TCPSWEEP_PACKET_SOURCE_H

#include <ns3/address.h>
#include <ns3/application.h>
#include <ns3/event-id.h>
#include <ns3/nstime.h>
#include <ns3/socket.h>
#include <ns3/type-id.h>

#include <cstdint>

namespace tcpsweep
{

/**
 * An application that offers TCP packets at a constant rate: packet k, counted from 0, at its start
 * + k / rate. What TCP does not take, for want of a connection or of room in its buffer, waits.
 *
 * ns-3's OnOffApplication would not do: it counts from the end of the handshake, ends the process
 * where there is no connection, leaves out packets while one waits, and sends no part of one.
 */
class PacketSource : public ns3::Application
{
  public:
    /// What determines it.
    struct Parameters
    {
        ns3::TypeId protocol; //!< what makes its socket
        ns3::Address local;   //!< where that is bound to
        ns3::Address remote;  //!< where that connects to
        double rate;          //!< packets per second
        uint32_t packetBytes; //!< size of a packet
        uint64_t bytes;       //!< what it offers; 0 for as much as the time allows
    };

    /// @param parameters what determines it
    explicit PacketSource(const Parameters& parameters);

    /// @return the type's id
    static ns3::TypeId GetTypeId();

    /// @return its socket; nullptr before its start
    ns3::Ptr<ns3::Socket>
    GetSocket() const
    {
        return m_socket;
    }

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;

    /// Offer the next packet.
    void Offer();

    /// @param socket the socket, which is connected from now on
    void Connected(ns3::Ptr<ns3::Socket> socket);

    /// Write what waits, as far as TCP takes it.
    void Write();

    Parameters m_parameters;        //!< what determines it
    ns3::Ptr<ns3::Socket> m_socket; //!< its socket
    bool m_connected{false};        //!< whether that takes packets
    ns3::Time m_start;              //!< when it started
    ns3::EventId m_next;            //!< the next packet
    uint64_t m_packets{0};          //!< packets offered
    uint64_t m_offered{0};          //!< their bytes
    uint64_t m_written{0};          //!< those of them that TCP has taken
};

} // namespace tcpsweep

#endif // TCPSWEEP_PACKET_SOURCE_H
