// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_DUPLICATE_REPORTS_H
#define TCPSWEEP_DUPLICATE_REPORTS_H

#include "corrections/ack-processing.h"

#include <ns3/ipv4-header.h>
#include <ns3/ipv4-interface.h>
#include <ns3/ipv6-header.h>
#include <ns3/ipv6-interface.h>
#include <ns3/tcp-option-sack.h>

#include <optional>

namespace tcpsweep
{

/**
 * A TCP socket that can report segments that arrive twice: DSACK, RFC 2883, section 4. The first
 * SACK block of the next ACK is then such a segment, and the next block contains it if it is not
 * yet acknowledged.
 *
 * ns-3 keeps four SACK blocks. A duplicate in a further block is not reported.
 */
class DuplicateReports : public AckProcessing
{
  public:
    DuplicateReports() = default;
    /// @param socket a listening socket, whose connection this socket accepts
    DuplicateReports(const DuplicateReports& socket);

  protected:
    /// Report duplicates.
    void UseReports();

    void CompleteFork(ns3::Ptr<ns3::Packet> packet,
                      const ns3::TcpHeader& header,
                      const ns3::Address& from,
                      const ns3::Address& to) override;
    void SendEmptyPacket(uint8_t flags) override;
    int Connect(const ns3::Address& address) override;

  private:
    /// Let arriving packets pass through Receive() or Receive6().
    void Follow();
    /// As ns3::TcpSocketBase::ForwardUp(), which is not virtual.
    void Receive(ns3::Ptr<ns3::Packet> packet,
                 ns3::Ipv4Header header,
                 uint16_t port,
                 ns3::Ptr<ns3::Ipv4Interface> interface);
    /// As ns3::TcpSocketBase::ForwardUp6(), which is not virtual.
    void Receive6(ns3::Ptr<ns3::Packet> packet,
                  ns3::Ipv6Header header,
                  uint16_t port,
                  ns3::Ptr<ns3::Ipv6Interface> interface);
    /// @param packet a segment, before it changes the receive buffer
    void FindDuplicate(ns3::Ptr<const ns3::Packet> packet);
    /**
     * @param blocks the SACK blocks of the next ACK
     * @return whether its receiver can tell that the segment arrived twice
     */
    bool CanReport(const ns3::TcpOptionSack::SackList& blocks) const;

    bool m_reports{false};                                    //!< whether to report duplicates
    std::optional<ns3::TcpOptionSack::SackBlock> m_duplicate; //!< to report with the next ACK
};

} // namespace tcpsweep

#endif // TCPSWEEP_DUPLICATE_REPORTS_H
