// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_LINK_H
#define TCPSWEEP_LINK_H

#include <ns3/data-rate.h>
#include <ns3/ipv4-address.h>
#include <ns3/ipv6-address.h>
#include <ns3/node.h>
#include <ns3/nstime.h>
#include <ns3/packet.h>
#include <ns3/point-to-point-channel.h>
#include <ns3/point-to-point-net-device.h>
#include <ns3/queue-size.h>
#include <ns3/queue.h>

#include <cstdint>

/**
 * @file
 * Links made without ns-3's helpers. The helpers give every device a queue disc as soon as it has
 * an address; here a device has only the parts that are installed explicitly.
 */

namespace tcpsweep
{

/// Bytes that PPP adds to an IP packet on a point-to-point link of ns-3.
constexpr uint32_t PPP_HEADER_BYTES = 2;

/// A link's two devices.
struct Link
{
    ns3::Ptr<ns3::PointToPointNetDevice> left;  //!< the first node's device
    ns3::Ptr<ns3::PointToPointNetDevice> right; //!< the second node's device
};

/**
 * @param size its capacity
 * @return a drop-tail queue of packets
 */
ns3::Ptr<ns3::Queue<ns3::Packet>> MakeDropTail(ns3::QueueSize size);

/// @return a drop-tail queue that never drops
ns3::Ptr<ns3::Queue<ns3::Packet>> MakeEndlessQueue();

/**
 * @param node a node
 * @param device a device to add to it, with a queue that never drops
 * @param rate the device's rate
 * @return the device
 */
ns3::Ptr<ns3::PointToPointNetDevice> AddDevice(ns3::Ptr<ns3::Node> node,
                                               ns3::Ptr<ns3::PointToPointNetDevice> device,
                                               ns3::DataRate rate);

/**
 * @param left a node
 * @param right another
 * @param channel the channel between them
 * @param rate both directions' rate
 * @param delay the propagation delay
 * @return the devices, with queues that never drop
 */
Link Connect(ns3::Ptr<ns3::Node> left,
             ns3::Ptr<ns3::Node> right,
             ns3::Ptr<ns3::PointToPointChannel> channel,
             ns3::DataRate rate,
             ns3::Time delay);

/**
 * @param device a device of a node that has an Internet stack
 * @param address its address
 * @param mask the network's mask
 */
void AssignAddress(ns3::Ptr<ns3::NetDevice> device, ns3::Ipv4Address address, ns3::Ipv4Mask mask);

/**
 * Give a link's devices the two addresses of a /30 network, the left one the lower.
 *
 * @param link the link, whose nodes have an Internet stack
 * @param network the network
 */
void AssignAddresses(const Link& link, ns3::Ipv4Address network);

/**
 * Give a link's devices the first two addresses of a /64 network, the left one the lower.
 *
 * @param link the link, whose nodes have an Internet stack
 * @param network the network
 */
void AssignAddresses(const Link& link, ns3::Ipv6Address network);

/**
 * @param network a /64 network
 * @param host the number of a host there
 * @return the host's address
 */
ns3::Ipv6Address AddressIn(ns3::Ipv6Address network, uint16_t host);

/**
 * @param device a device, whose node has an Internet stack
 * @param address its address in a /64 network
 */
void AssignAddress(ns3::Ptr<ns3::NetDevice> device, ns3::Ipv6Address address);

/**
 * Route a host's packets for other networks to the node at its link's other end.
 *
 * @param device the host's device, the only one; the host has ns-3's static routing
 */
void SetDefaultRoute(ns3::Ptr<ns3::NetDevice> device);

/**
 * Route a host's packets for other networks to a node of its own network.
 *
 * @param device the host's device; the host has ns-3's static routing
 * @param gateway that node's address
 */
void SetDefaultRoute(ns3::Ptr<ns3::NetDevice> device, ns3::Ipv4Address gateway);

/**
 * Route a host's IPv6 packets for other networks to a node of its own network.
 *
 * @param device the host's device; the host has ns-3's static routing
 * @param gateway that node's address
 */
void SetDefaultRoute(ns3::Ptr<ns3::NetDevice> device, ns3::Ipv6Address gateway);

} // namespace tcpsweep

#endif // TCPSWEEP_LINK_H
