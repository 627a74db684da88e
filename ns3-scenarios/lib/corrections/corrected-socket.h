// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_CORRECTED_SOCKET_H
#define TCPSWEEP_CORRECTED_SOCKET_H

#include "corrections/corrections.h"

#include <ns3/node.h>
#include <ns3/tcp-socket-base.h>
#include <ns3/type-id.h>

namespace tcpsweep
{

/// A TCP socket of ns-3's in which some of its defects are corrected. It goes by the TypeId of
/// ns3::TcpSocketBase, so that attributes and traces are the same.
class CorrectedSocket : public ns3::TcpSocketBase
{
  public:
    /**
     * As ns3::TcpL4Protocol::CreateSocket().
     *
     * @param node a node with TCP
     * @param variant the socket's congestion control
     * @param corrections the corrections
     * @return the socket
     */
    static ns3::Ptr<CorrectedSocket>
    Make(ns3::Ptr<ns3::Node> node, ns3::TypeId variant, Corrections corrections);

    CorrectedSocket() = default;
    /// @param socket a listening socket, whose connection this socket accepts
    CorrectedSocket(const CorrectedSocket& socket);

  protected:
    ns3::Ptr<ns3::TcpSocketBase> Fork() override;

  private:
    /// Replace the corrected parts of ns-3's socket.
    void Correct();

    Corrections m_corrections; //!< the corrections
};

} // namespace tcpsweep

#endif // TCPSWEEP_CORRECTED_SOCKET_H
