// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_VARIANT_SOCKET_FACTORY_H
#define TCPSWEEP_VARIANT_SOCKET_FACTORY_H

#include "corrections/corrections.h"

#include <ns3/node.h>
#include <ns3/socket.h>
#include <ns3/tcp-socket-factory.h>
#include <ns3/type-id.h>

#include <cstdint>
#include <string>

namespace tcpsweep
{

/**
 * Makes a node's TCP sockets with one congestion control and one size of segments. ns-3's own
 * factory gives all sockets of a node the ones that attributes name, but a node may have flows with
 * several.
 */
class VariantSocketFactory : public ns3::TcpSocketFactory
{
  public:
    /// @return the id of the factories' common type; each factory of sockets that are alike has a
    /// type below it
    static ns3::TypeId GetTypeId();

    /**
     * @param node a node with TCP
     * @param variant a congestion control
     * @param segmentBytes payload of a full segment
     * @return the protocol for an application of the node whose sockets are to have that congestion
     * control and these segments
     */
    static ns3::TypeId
    Install(ns3::Ptr<ns3::Node> node, ns3::TypeId variant, uint32_t segmentBytes);

    /**
     * Have all sockets of all factories corrected. As an attribute's default, it holds until the
     * simulation ends, and has to be set before factories are installed.
     *
     * @param corrections the corrections
     */
    static void Correct(Corrections corrections);

    ns3::Ptr<ns3::Socket> CreateSocket() override;

  private:
    std::string m_corrections;  //!< the corrections of the sockets
    ns3::TypeId m_variant;      //!< the sockets' congestion control
    uint32_t m_segmentBytes{0}; //!< payload of their full segments
};

} // namespace tcpsweep

#endif // TCPSWEEP_VARIANT_SOCKET_FACTORY_H
