// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_KERNEL_GATE_H
#define TCPSWEEP_KERNEL_GATE_H

#include "kernel/file-descriptor.h"
#include "kernel/virtual-time.h"

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
 * Connects a host of the kernel with the simulated network. It replaces a protocol above a node's
 * IP. Segments that the kernel sends leave through the node's IP, with the node's address. Segments
 * for the kernel's ports go to the kernel. So links, queues, routers and traces work as with ns-3's
 * hosts. Segments pass unchanged; from the kernel's IP header, only the ECN bits pass. All other
 * ports belong to ns-3's own protocol.
 */
class KernelGate : public ns3::IpL4Protocol
{
  public:
    /// The bytes of a passing segment, beginning with the transport protocol's header.
    using Segment = std::vector<uint8_t>;

    /// The callbacks for a port's segments.
    struct Visitor
    {
        std::function<void(const Segment&)> sent;     //!< before the network gets one
        std::function<void(const Segment&)> received; //!< after the kernel got one
    };

    /// @return the type
    static ns3::TypeId GetTypeId();

    /**
     * @param protocol the number of the protocol that it replaces
     * @param node the node, which has an address
     * @param own ns-3's protocol, which has all other ports; nullptr if there is none
     * @param tun the interface of the kernel's host
     * @param clock the kernel's clock, which lives longer than the simulation's events
     */
    KernelGate(uint8_t protocol,
               ns3::Ptr<ns3::Node> node,
               ns3::Ptr<ns3::IpL4Protocol> own,
               int tun,
               VirtualTime& clock);

    /**
     * @param port a port, which belongs to the kernel from now on
     * @param visitor called with each segment from and to this port
     */
    void Visit(uint16_t port, Visitor visitor);

    /// Give all ports to the kernel: its programs choose them.
    void
    TakeAll()
    {
        m_takesAll = true;
    }

    /// @param port a port whose segments no longer reach the network
    void Silence(uint16_t port);

    /**
     * Send a segment of the kernel into the network.
     *
     * @param tos the type of service in IP's header, including ECN
     * @param destination its destination address
     * @param segment the segment
     */
    void Send(uint8_t tos, ns3::Ipv4Address destination, const Segment& segment);

    /**
     * Note that the host got something to do.
     *
     * @param packets how many packets it has probably sent because of that
     */
    void
    Touch(uint32_t packets) const
    {
        m_clock.Touch(m_tun, packets);
    }

    /// @return a number that is the same as before only if the host cannot have changed since
    uint64_t
    Changes() const
    {
        return m_clock.Changes();
    }

    /// @return the packets that the kernel did not accept
    uint64_t
    Refused() const
    {
        return m_refused;
    }

    /// @return the IP bytes that the kernel received
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
    VirtualTime& m_clock;                   //!< the kernel's clock
    std::map<uint16_t, Visitor> m_visitors; //!< the callbacks of each port
    bool m_takesAll{false};                 //!< whether all ports are the kernel's
    std::set<uint16_t> m_silent;            //!< the ports whose segments are dropped
    uint64_t m_refused{0};                  //!< packets that the kernel did not accept
    uint64_t m_givenBytes{0};               //!< IP bytes to the kernel
    uint64_t m_takenBytes{0};               //!< IP bytes from the kernel
};

/**
 * Use a host of the kernel as a node's TCP, or another of its protocols, at some ports.
 *
 * @param node the node
 * @param tun the host's interface, which is read from now on
 * @param clock the kernel's clock, which lives longer than the simulation's events
 * @param protocols the protocols' numbers
 * @return a gate for each protocol
 */
std::vector<ns3::Ptr<KernelGate>> OpenGates(ns3::Ptr<ns3::Node> node,
                                            int tun,
                                            VirtualTime& clock,
                                            const std::vector<uint8_t>& protocols);

} // namespace tcpsweep

#endif // TCPSWEEP_KERNEL_GATE_H
