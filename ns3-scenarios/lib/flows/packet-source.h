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
 * + k / rate. Packets wait while TCP has no connection, or no room in its buffer.
 *
 * ns-3's OnOffApplication does not suffice: it counts from the end of the handshake, ends the
 * process without a connection, skips packets while one waits, and sends no part of a packet.
 */
class PacketSource : public ns3::Application
{
  public:
    /// The parameters of a source.
    struct Parameters
    {
        ns3::TypeId protocol; //!< type of the factory of its socket
        ns3::Address local;   //!< address that the socket is bound to
        ns3::Address remote;  //!< address that it connects to
        double rate;          //!< packets per second
        uint32_t packetBytes; //!< size of a packet
        uint64_t bytes;       //!< bytes that it offers; 0 for no limit
    };

    /// @param parameters its parameters
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

    /// Write the waiting packets, as far as TCP takes them.
    void Write();

    Parameters m_parameters;        //!< its parameters
    ns3::Ptr<ns3::Socket> m_socket; //!< its socket
    bool m_connected{false};        //!< whether the socket is connected
    ns3::Time m_start;              //!< when it started
    ns3::EventId m_next;            //!< the next packet
    uint64_t m_packets{0};          //!< packets offered
    uint64_t m_offered{0};          //!< bytes offered
    uint64_t m_written{0};          //!< bytes that TCP has taken
};

} // namespace tcpsweep

#endif // TCPSWEEP_PACKET_SOURCE_H
