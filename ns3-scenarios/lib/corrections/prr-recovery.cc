// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/prr-recovery.h"

#include <algorithm>

namespace tcpsweep
{

void
PrrRecovery::SetTxBuffer(ns3::Ptr<const ns3::TcpTxBuffer> buffer)
{
    m_buffer = buffer;
}

std::string
PrrRecovery::GetName() const
{
    return "PrrRecovery";
}

void
PrrRecovery::EnterRecovery(ns3::Ptr<ns3::TcpSocketState> tcb,
                           uint32_t,
                           uint32_t unAckDataCount,
                           uint32_t deliveredBytes)
{
    const int64_t segment = tcb->m_segmentSize;
    m_delivered = 0;
    m_out = 0;
    // RFC 5681, equation 4: never below two segments. TcpDctcp knows no such bound, and would
    // stop for good.
    tcb->m_ssThresh = std::max(tcb->m_ssThresh.Get(), 2 * tcb->m_segmentSize);
    // Without SACK, a duplicate ACK counts as a segment (section 6.2).
    const int64_t reported =
        deliveredBytes == 0 && !m_buffer->IsSackEnabled() ? segment : deliveredBytes;
    // Bytes that SACK reported before this ACK were delivered before this recovery.
    m_flightSize = std::max(int64_t{unAckDataCount} - m_buffer->GetSacked() + reported, segment);
    m_acked = m_buffer->HeadSequence();
    m_sacked = m_buffer->GetSacked();
    m_lost = m_buffer->GetLost();
    // If time alone shows a loss, Linux counts a segment too.
    Reduce(tcb, reported > 0 ? reported : segment, false);
}

void
PrrRecovery::EnterRecovery(ns3::Ptr<ns3::TcpSocketState> tcb,
                           uint32_t dupAckCount,
                           uint32_t unAckDataCount,
                           uint32_t deliveredBytes,
                           uint32_t)
{
    EnterRecovery(tcb, dupAckCount, unAckDataCount, deliveredBytes);
}

void
PrrRecovery::DoRecovery(ns3::Ptr<ns3::TcpSocketState> tcb, uint32_t)
{
    // ns-3 calls this twice for an ACK that advances and has news of SACK, each time with all bytes
    // that it reports. So count by the buffer, as section 6 does.
    const auto acked = m_buffer->HeadSequence();
    const int64_t sacked = m_buffer->GetSacked();
    const int64_t lost = m_buffer->GetLost();
    const int64_t delivered = (acked - m_acked) + sacked - m_sacked;
    const bool isSafe = acked > m_acked && lost <= m_lost;
    m_acked = acked;
    m_sacked = sacked;
    m_lost = lost;
    if (delivered > 0)
    {
        Reduce(tcb, delivered, isSafe);
    }
}

void
PrrRecovery::Reduce(ns3::Ptr<ns3::TcpSocketState> tcb, int64_t delivered, bool isSafe)
{
    const int64_t segment = tcb->m_segmentSize;
    m_delivered += delivered;

    const int64_t inFlight = tcb->m_bytesInFlight;
    const int64_t threshold = tcb->m_ssThresh;
    int64_t send;
    if (inFlight > threshold)
    {
        // Whole segments, as in Linux: a part of one would wait for the next ACK.
        const int64_t whole = m_flightSize * segment;
        send = (m_delivered * threshold + whole - 1) / whole * segment - m_out;
    }
    else
    {
        send = std::max(m_delivered - m_out, delivered) + (isSafe ? segment : 0);
        send = std::min(send, threshold - inFlight);
    }
    // The first segment considered lost is sent at once.
    send = std::max(send, m_out > 0 ? 0 : segment);
    tcb->m_cWnd = static_cast<uint32_t>(inFlight + send);
    tcb->m_cWndInfl = tcb->m_cWnd;
}

void
PrrRecovery::DoRecovery(ns3::Ptr<ns3::TcpSocketState> tcb, uint32_t deliveredBytes, bool)
{
    DoRecovery(tcb, deliveredBytes);
}

void
PrrRecovery::ExitRecovery(ns3::Ptr<ns3::TcpSocketState> tcb)
{
    tcb->m_cWndInfl = tcb->m_cWnd;
}

void
PrrRecovery::UpdateBytesSent(uint32_t bytesSent)
{
    m_out += bytesSent;
}

ns3::Ptr<ns3::TcpRecoveryOps>
PrrRecovery::Fork()
{
    return ns3::CopyObject<PrrRecovery>(this);
}

} // namespace tcpsweep
