// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_NODE_ROUTING_H
#define TCPSWEEP_NODE_ROUTING_H

#include <ns3/address.h>
#include <ns3/net-device.h>
#include <ns3/node.h>
#include <ns3/ptr.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tcpsweep
{

/// The key of a flow's packets: addresses, ports, protocol.
struct FlowKey
{
    uint32_t source{0};          //!< the number of the sender's address
    uint32_t destination{0};     //!< the number of the receiver's address
    uint16_t sourcePort{0};      //!< the sender's port
    uint16_t destinationPort{0}; //!< the receiver's port

    /// @return whether this key is less than another one, for maps
    bool operator<(const FlowKey& other) const;
};

/**
 * The routing of a node with several links: a packet for a host leaves through the device that
 * leads to the host.
 *
 * ns-3's static routing checks every interface and every route for every packet. At a router of
 * 50 flows, this takes a quarter of the simulation's time; with 1000 flows, three quarters. This
 * class needs one look-up per packet.
 *
 * Hosts are known by the numbers of their addresses (NumberOf()), which are the same in IPv4 and
 * IPv6. So a hash chooses the same path in both.
 */
class NodeRouting
{
  public:
    virtual ~NodeRouting() = default;

    /**
     * @param node a node with an Internet stack and addresses, which keeps the routing
     * @return its new routing, still without routes
     */
    static NodeRouting* Install(ns3::Ptr<ns3::Node> node);

    /**
     * @param host a host's address
     * @param devices the devices that lead there; if there are several, a hash of a packet's
     * addresses and ports chooses one, so that a flow keeps its path
     */
    virtual void
    AddHost(const ns3::Address& host, const std::vector<ns3::Ptr<ns3::NetDevice>>& devices) = 0;

    /**
     * @param flow a flow
     * @param device the device for its packets, which overrides the route to their host
     */
    virtual void AddFlow(const FlowKey& flow, ns3::Ptr<ns3::NetDevice> device) = 0;

    /// @param salt added to the hash, so that nodes choose independently
    void
    SetSalt(uint32_t salt)
    {
        m_salt = salt;
    }

    /**
     * @param flow a flow
     * @param ways the number of routes to its host
     * @return the number of the route that it takes
     */
    std::size_t Turn(const FlowKey& flow, std::size_t ways) const;

  private:
    uint32_t m_salt{0}; //!< added to the hash
};

} // namespace tcpsweep

#endif // TCPSWEEP_NODE_ROUTING_H
