// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_KERNEL_GATE_H
#define TCPSWEEP_KERNEL_GATE_H

#include "kernel/file-descriptor.h"
#include "kernel/real-time.h"

#include <ns3/ip-l4-protocol.h>
#include <ns3/ipv4-address.h>
#include <ns3/node.h>
#include <ns3/packet.h>
#include <ns3/tcp-l4-protocol.h>

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace tcpsweep
{

/**
 * Where a host that the kernel is meets the simulated network: it stands before a protocol above a
 * node's IP. What the kernel sends leaves by that IP, with the node's address, and what IP brings
 * to one of the kernel's ports goes to the kernel, so that links, queues, routers and all that
 * watches packets are as for ns-3's own hosts. Segments pass byte by byte; of IP's header, the
 * kernel's mark of ECN does. All other ports are those of ns-3's own protocol.
 */
class KernelGate : public ns3::IpL4Protocol
{
  public:
    /// A segment that passes: its bytes, the transport protocol's header first.
    using Segment = std::vector<uint8_t>;

    /// What is done with a port's segments.
    struct Visitor
    {
        std::function<void(const Segment&)> sent;     //!< before the network gets one
        std::function<void(const Segment&)> received; //!< after the kernel got one
    };

    /// @return the type
    static ns3::TypeId GetTypeId();

    /**
     * @param protocol the number of the protocol whose place it takes
     * @param node the node, which has an address
     * @param own ns-3's own, which has all ports but the kernel's; nullptr if there is none
     * @param tun the interface of the kernel's host
     */
    KernelGate(uint8_t protocol,
               ns3::Ptr<ns3::Node> node,
               ns3::Ptr<ns3::IpL4Protocol> own,
               int tun);

    /**
     * @param port a port, which is the kernel's from now on
     * @param visitor called with each segment that leaves from it, and comes to it
     */
    void Visit(uint16_t port, Visitor visitor);

    /// @param port a port from which no more segments reach the network
    void Silence(uint16_t port);

    /**
     * Send a segment of the kernel's into the network.
     *
     * @param tos what IP's header says of its service, the mark of ECN included
     * @param destination the address that it goes to
     * @param segment the segment
     */
    void Send(uint8_t tos, ns3::Ipv4Address destination, const Segment& segment);

    /// @return the packets that the kernel did not take
    uint64_t
    Refused() const
    {
        return m_refused;
    }

    /// @return the IP bytes that the kernel was given
    uint64_t
    GivenBytes() const
    {
        return m_givenBytes;
    }

    /// @return the IP bytes that the kernel sent
    uint64_t
    TakenBytes() const
    {
        return m_takenBytes;
    }

    int GetProtocolNumber() const override;
    RxStatus Receive(ns3::Ptr<ns3::Packet> packet,
                     const ns3::Ipv4Header& header,
                     ns3::Ptr<ns3::Ipv4Interface> interface) override;
    RxStatus Receive(ns3::Ptr<ns3::Packet> packet,
                     const ns3::Ipv6Header& header,
                     ns3::Ptr<ns3::Ipv6Interface> interface) override;
    void SetDownTarget(DownTargetCallback callback) override;
    void SetDownTarget6(DownTargetCallback6 callback) override;
    DownTargetCallback GetDownTarget() const override;
    DownTargetCallback6 GetDownTarget6() const override;

  private:
    uint8_t m_protocol;                     //!< the protocol's number
    ns3::Ptr<ns3::Node> m_node;             //!< the node
    ns3::Ptr<ns3::IpL4Protocol> m_own;      //!< ns-3's own, of all other ports
    int m_tun;                              //!< the kernel's interface
    std::map<uint16_t, Visitor> m_visitors; //!< who sees the segments of a port
    std::set<uint16_t> m_silent;            //!< the ports whose segments are dropped
    uint64_t m_refused{0};                  //!< packets that the kernel did not take
    uint64_t m_givenBytes{0};               //!< IP bytes to the kernel
    uint64_t m_takenBytes{0};               //!< IP bytes from the kernel
};

/**
 * Let a kernel's host be a node's TCP, or another protocol of it, at some ports.
 *
 * @param node the node
 * @param tun the host's interface, which is read from now on
 * @param clock the time of day, which outlives the simulation's events
 * @param protocol the protocol's number
 * @return the gate
 */
ns3::Ptr<KernelGate> OpenGate(ns3::Ptr<ns3::Node> node,
                              int tun,
                              RealTime& clock,
                              uint8_t protocol = ns3::TcpL4Protocol::PROT_NUMBER);

} // namespace tcpsweep

#endif // TCPSWEEP_KERNEL_GATE_H
