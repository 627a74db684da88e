// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_PRR_RECOVERY_H
#define TCPSWEEP_PRR_RECOVERY_H

#include <ns3/tcp-recovery-ops.h>
#include <ns3/tcp-socket-state.h>
#include <ns3/tcp-tx-buffer.h>

#include <cstdint>
#include <string>

namespace tcpsweep
{

/**
 * Proportional rate reduction, RFC 9937, section 6.
 *
 * ns3::TcpPrrRecovery of 3.44 adds a segment to what was delivered for each duplicate ACK, also
 * where SACK has counted that segment; divides by the bytes in flight where the RFC has those that
 * are outstanding; and takes an ACK for safe only if it acknowledges a retransmission. That of 3.37
 * leaves out what an earlier ACK allowed and was not sent.
 */
class PrrRecovery : public ns3::TcpRecoveryOps
{
  public:
    /// @param buffer the socket's buffer of what was sent
    void SetTxBuffer(ns3::Ptr<const ns3::TcpTxBuffer> buffer);

    std::string GetName() const override;
    void EnterRecovery(ns3::Ptr<ns3::TcpSocketState> tcb,
                       uint32_t dupAckCount,
                       uint32_t unAckDataCount,
                       uint32_t deliveredBytes) override;
    // One of the two overrides what this version of ns-3 calls.
    void DoRecovery(ns3::Ptr<ns3::TcpSocketState> tcb, uint32_t deliveredBytes);
    void DoRecovery(ns3::Ptr<ns3::TcpSocketState> tcb, uint32_t deliveredBytes, bool isDupAck);
    void ExitRecovery(ns3::Ptr<ns3::TcpSocketState> tcb) override;
    void UpdateBytesSent(uint32_t bytesSent) override;
    ns3::Ptr<ns3::TcpRecoveryOps> Fork() override;

  private:
    ns3::Ptr<const ns3::TcpTxBuffer> m_buffer; //!< what was sent and is not acknowledged
    int64_t m_delivered{0};                    //!< bytes delivered in this recovery: prr_delivered
    int64_t m_out{0};                          //!< bytes sent in this recovery: prr_out
    int64_t m_flightSize{1};                   //!< bytes outstanding when it began: RecoverFS
    int64_t m_lost{0};                         //!< bytes taken for lost at the last ACK
    ns3::SequenceNumber32 m_acked;             //!< acknowledged up to here at the last ACK
};

} // namespace tcpsweep

#endif // TCPSWEEP_PRR_RECOVERY_H
