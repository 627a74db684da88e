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
 * ns3::TcpPrrRecovery of 3.44 has four errors. It counts a delivered segment for each duplicate
 * ACK, even if SACK has counted that segment. It also counts twice what an ACK reports that
 * advances and has news of SACK. It divides by the bytes in flight, where the RFC uses outstanding
 * bytes. It considers an ACK safe only if it acknowledges a retransmission. The version of 3.37
 * also omits bytes that an earlier ACK allowed and that were not sent.
 */
class PrrRecovery : public ns3::TcpRecoveryOps
{
  public:
    /// @param buffer the socket's send buffer
    void SetTxBuffer(ns3::Ptr<const ns3::TcpTxBuffer> buffer);

    std::string GetName() const override;
    // One of each two overrides the function that this version of ns-3 calls.
    void EnterRecovery(ns3::Ptr<ns3::TcpSocketState> tcb,
                       uint32_t dupAckCount,
                       uint32_t unAckDataCount,
                       uint32_t deliveredBytes);
    void EnterRecovery(ns3::Ptr<ns3::TcpSocketState> tcb,
                       uint32_t dupAckCount,
                       uint32_t unAckDataCount,
                       uint32_t deliveredBytes,
                       uint32_t bytesSacked);
    void DoRecovery(ns3::Ptr<ns3::TcpSocketState> tcb, uint32_t deliveredBytes);
    void DoRecovery(ns3::Ptr<ns3::TcpSocketState> tcb, uint32_t deliveredBytes, bool isDupAck);
    void ExitRecovery(ns3::Ptr<ns3::TcpSocketState> tcb) override;
    void UpdateBytesSent(uint32_t bytesSent) override;
    ns3::Ptr<ns3::TcpRecoveryOps> Fork() override;

  private:
    /**
     * Set the window.
     *
     * @param tcb the sender's state
     * @param delivered bytes that an ACK reports as arrived
     * @param isSafe whether the ACK advances, and shows no further loss
     */
    void Reduce(ns3::Ptr<ns3::TcpSocketState> tcb, int64_t delivered, bool isSafe);

    ns3::Ptr<const ns3::TcpTxBuffer> m_buffer; //!< the socket's send buffer
    int64_t m_delivered{0};                    //!< bytes delivered in this recovery: prr_delivered
    int64_t m_out{0};                          //!< bytes sent in this recovery: prr_out
    int64_t m_flightSize{1};                   //!< bytes outstanding when it began: RecoverFS
    int64_t m_lost{0};                         //!< bytes taken for lost at the last ACK
    int64_t m_sacked{0};                       //!< bytes that SACK reported at the last ACK
    ns3::SequenceNumber32 m_acked;             //!< acknowledged up to here at the last ACK
};

} // namespace tcpsweep

#endif // TCPSWEEP_PRR_RECOVERY_H
