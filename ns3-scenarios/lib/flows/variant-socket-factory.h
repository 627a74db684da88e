// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_VARIANT_SOCKET_FACTORY_H
#define TCPSWEEP_VARIANT_SOCKET_FACTORY_H

#include <ns3/node.h>
#include <ns3/socket.h>
#include <ns3/tcp-socket-factory.h>
#include <ns3/type-id.h>

namespace tcpsweep
{

/**
 * Makes a node's TCP sockets of one congestion control. ns-3's own factory makes all of a node's
 * sockets of the one that the node's TcpL4Protocol names, while a node may have flows of several.
 */
class VariantSocketFactory : public ns3::TcpSocketFactory
{
  public:
    /// @return the type's id, that of no factory: each congestion control's has one below it
    static ns3::TypeId GetTypeId();

    /**
     * @param node a node with TCP
     * @param variant a congestion control
     * @return what an application of the node names as its protocol, so that its sockets are of
     * that congestion control
     */
    static ns3::TypeId Install(ns3::Ptr<ns3::Node> node, ns3::TypeId variant);

    ns3::Ptr<ns3::Socket> CreateSocket() override;

  private:
    ns3::TypeId m_variant; //!< the sockets' congestion control
};

} // namespace tcpsweep

#endif // TCPSWEEP_VARIANT_SOCKET_FACTORY_H
