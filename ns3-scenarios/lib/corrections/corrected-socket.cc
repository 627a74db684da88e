// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/corrected-socket.h"

#include "corrections/control-type.h"
#include "corrections/prr-recovery.h"
#include "corrections/pushed-tag.h"

#include <ns3/object-factory.h>
#include <ns3/rtt-estimator.h>
#include <ns3/simulator.h>
#include <ns3/tcp-congestion-ops.h>
#include <ns3/tcp-l4-protocol.h>
#include <ns3/tcp-option-ts.h>
#include <ns3/tcp-prr-recovery.h>
#include <ns3/tcp-tx-buffer.h>

#include <algorithm>
#include <iterator>

namespace tcpsweep
{

namespace
{

/// Repeats of a SYN before its timeout doubles: net.ipv4.tcp_syn_linear_timeouts in Linux.
constexpr uint32_t LINEAR_SYNS = 4;

/// Blocks of SACK that an ACK surely has room for: TCP_SACK_BLOCKS_EXPECTED in Linux.
constexpr uint32_t REPORTED_BLOCKS = 2;

/// Congestion windows for which the send buffer has room.
constexpr uint32_t WINDOWS = 2;
constexpr uint32_t BBR_WINDOWS = 3; //!< bbr_sndbuf_expand() in Linux

/**
 * @param type a type
 * @return an object of it
 */
template <typename T>
ns3::Ptr<T>
MakeOf(ns3::TypeId type)
{
    ns3::ObjectFactory factory;
    factory.SetTypeId(type);
    return factory.Create<T>();
}

/**
 * @param object an object
 * @param attribute one of its attributes, which names a type
 * @return that type
 */
ns3::TypeId
TypeIn(ns3::Ptr<ns3::Object> object, const std::string& attribute)
{
    ns3::TypeIdValue value;
    object->GetAttribute(attribute, value);
    return value.Get();
}

/**
 * Tell a congestion control of its socket's sampler, as ns-3 does since 3.45: BBR marks there that
 * the application, or its probe of the round trip, limits it.
 *
 * @tparam T the type of congestion controls
 * @param control the congestion control
 * @param sampler the sampler
 */
template <typename T>
auto
Tell(ns3::Ptr<T> control, ns3::Ptr<ns3::TcpRateOps> sampler, int)
    -> decltype(control->SetRateOps(sampler))
{
    control->SetRateOps(sampler);
}

/// In older versions, a congestion control does not know the sampler.
template <typename T>
void
Tell(ns3::Ptr<T>, ns3::Ptr<ns3::TcpRateOps>, long)
{
}

} // namespace

ns3::Ptr<CorrectedSocket>
CorrectedSocket::Make(ns3::Ptr<ns3::Node> node, ns3::TypeId variant, Corrections corrections)
{
    const auto tcp = node->GetObject<ns3::TcpL4Protocol>();
    const auto recovery = TypeIn(tcp, "RecoveryType");
    const auto socket = ns3::CreateObject<CorrectedSocket>();
    socket->m_corrections = corrections;
    socket->m_corrections.prr = corrections.prr && recovery == ns3::TcpPrrRecovery::GetTypeId();
    socket->SetNode(node);
    socket->SetTcp(tcp);
    socket->SetRtt(MakeOf<ns3::RttEstimator>(TypeIn(tcp, "RttEstimatorType")));
    socket->SetCongestionControlAlgorithm(
        MakeOf<ns3::TcpCongestionOps>(ControlType(variant, corrections)));
    socket->SetRecoveryAlgorithm(MakeOf<ns3::TcpRecoveryOps>(recovery));
    socket->Correct();
    if (corrections.quickAck)
    {
        // The sockets that a listening socket accepts copy its callbacks.
        socket->TraceConnectWithoutContext("Tx", ns3::MakeCallback(&CorrectedSocket::Push));
    }
    if (corrections.rackTlp)
    {
        socket->UseRack();
        const bool canUndo = !socket->m_congestionControl->HasCongControl() ||
                             (socket->m_observer && socket->m_observer->CanUndo());
        socket->UseUndo({corrections.undo && canUndo, corrections.fRto, corrections.dsack});
    }
    tcp->AddSocket(socket);
    return socket;
}

CorrectedSocket::CorrectedSocket(const CorrectedSocket& socket)
    : UndoSocket(socket),
      m_corrections(socket.m_corrections)
{
    Correct();
}

CorrectedSocket::~CorrectedSocket()
{
    m_compressedAck.Cancel();
}

ns3::Ptr<ns3::TcpSocketBase>
CorrectedSocket::Fork()
{
    return ns3::CopyObject<CorrectedSocket>(this);
}

int
CorrectedSocket::Send(ns3::Ptr<ns3::Packet> packet, uint32_t flags)
{
    if (m_corrections.bbr)
    {
        // As tcp_rate_check_app_limited() in Linux. ns-3 looks after it has added the data, and so
        // finds a segment to send.
        m_rateOps->CalculateAppLimited(m_tcb->m_cWnd,
                                       m_tcb->m_bytesInFlight,
                                       m_tcb->m_segmentSize,
                                       m_txBuffer->TailSequence(),
                                       m_tcb->m_highTxMark,
                                       m_txBuffer->GetLost(),
                                       m_txBuffer->GetRetransmitsCount());
    }
    return TcpSocketBase::Send(packet, flags);
}

void
CorrectedSocket::SendEmptyPacket(uint8_t flags)
{
    if (m_corrections.synTimeouts && IsFirstOfHandshake(flags) && SynsSent() > 0 &&
        SynsSent() <= LINEAR_SYNS && m_synCount < m_synRetries)
    {
        ++m_synCount; // ns-3 counts it down, and doubles the timeout with it
    }
    if (m_mayCompress && Compress(flags))
    {
        return;
    }
    m_compression.CountFromNow();
    m_compressedAck.Cancel();
    UndoSocket::SendEmptyPacket(flags);
}

bool
CorrectedSocket::Compress(uint8_t flags)
{
    const auto& buffer = m_tcb->m_rxBuffer;
    const auto next = buffer->NextRxSequence();
    const bool hasGap = buffer->Size() > buffer->Available();
    const bool hasFilledMore = next > m_highTxAck + static_cast<int32_t>(m_tcb->m_segmentSize);
    const bool isAck = (flags & ~ns3::TcpHeader::ECE) == ns3::TcpHeader::ACK;
    if (!isAck || !hasGap || hasFilledMore || m_compression.IsImmediate(next))
    {
        return false;
    }
    if (m_compressedAck.IsExpired())
    {
        m_compressedAck = ns3::Simulator::Schedule(SackCompression::Delay(m_rtt->GetEstimate()),
                                                   &CorrectedSocket::SendAckNow,
                                                   this);
    }
    return true;
}

void
CorrectedSocket::SendAckNow()
{
    const auto ecn = m_tcb->m_ecnState.Get();
    const bool isMarked =
        ecn == ns3::TcpSocketState::ECN_CE_RCVD || ecn == ns3::TcpSocketState::ECN_SENDING_ECE;
    SendEmptyPacket(isMarked ? ns3::TcpHeader::ACK | ns3::TcpHeader::ECE : ns3::TcpHeader::ACK);
    if (isMarked)
    {
        m_tcb->m_ecnState = ns3::TcpSocketState::ECN_SENDING_ECE; // as ns-3 after each such ACK
    }
}

bool
CorrectedSocket::NeedsNewBlock(ns3::SequenceNumber32 begin, ns3::SequenceNumber32 end) const
{
    const auto blocks = m_tcb->m_rxBuffer->GetSackList();
    if (begin <= m_tcb->m_rxBuffer->NextRxSequence() || blocks.size() < REPORTED_BLOCKS)
    {
        return false;
    }
    const auto touches = [&](const auto& block)
    {
        return begin <= block.second && block.first <= end;
    };
    return std::none_of(blocks.begin(), std::next(blocks.begin(), REPORTED_BLOCKS), touches);
}

uint32_t
CorrectedSocket::SendDataPacket(ns3::SequenceNumber32 begin, uint32_t maxBytes, bool withAck)
{
    const bool isWaiting = m_pacingTimer.IsRunning();
    if (!IsPacingEnabled())
    {
        m_pacedUntil = ns3::Simulator::Now();
    }
    const auto sent = UndoSocket::SendDataPacket(begin, maxBytes, withAck);
    if (m_linuxBbr && !isWaiting && m_pacingTimer.IsRunning())
    {
        // As tcp_update_skb_after_send() in Linux: who sends later than pacing allows, waits less
        // before the next segment, but at least half as long.
        const auto now = ns3::Simulator::Now();
        const auto wait = m_pacingTimer.GetDelayLeft();
        const auto shorter = wait - std::min(wait / 2, std::max(ns3::Time(), now - m_pacedUntil));
        m_pacingTimer.Cancel();
        m_pacingTimer.Schedule(shorter);
        m_pacedUntil = now + shorter;
        m_linuxBbr->ObservePacing(m_pacedUntil);
    }
    return sent;
}

void
CorrectedSocket::Correct()
{
    if (m_corrections.rateSample)
    {
        m_sampler = ns3::CreateObject<RateSampler>(m_corrections.bbr);
        m_rateOps = m_sampler;
        if (m_congestionControl)
        {
            Tell(m_congestionControl, m_rateOps, 0);
        }
    }
    m_linuxBbr = dynamic_cast<LinuxBbr*>(ns3::PeekPointer(m_congestionControl));
    m_writes = ApplicationWrites(m_linuxBbr ? BBR_WINDOWS : WINDOWS);
    m_observer = dynamic_cast<AckObserver*>(ns3::PeekPointer(m_congestionControl));
    if (m_observer)
    {
        m_observer->UseSampler(m_rateOps);
    }
    if (m_corrections.prr)
    {
        const auto recovery = ns3::CreateObject<PrrRecovery>();
        recovery->SetTxBuffer(m_txBuffer);
        SetRecoveryAlgorithm(recovery);
    }
    if (m_corrections.receiveWindow)
    {
        m_txBuffer->SetRWndCallback(MakeCallback(&CorrectedSocket::WindowOfWholeSegments, this));
    }
    if (m_corrections.windowAfterRecovery)
    {
        m_tcb->m_congState.ConnectWithoutContext(
            ns3::MakeCallback(&CorrectedSocket::RestoreWindow, this));
    }
}

ns3::SequenceNumber32
CorrectedSocket::GrowsFrom(ns3::SequenceNumber32 acked,
                           ns3::SequenceNumber32 before,
                           uint32_t deliveredBytes) const
{
    if (!m_corrections.recoveryExit)
    {
        return before;
    }
    // ns-3 reads this only to see whether the ACK advances, and to grow the window when a recovery
    // ends.
    const auto grows = std::max(deliveredBytes, 1U);
    return std::max(before, acked - static_cast<int32_t>(grows));
}

void
CorrectedSocket::Observe(ns3::Time rtt, uint32_t lostBytes, uint32_t inFlightBytes)
{
    if (m_sampler && Detecting())
    {
        m_sampler->SetMinRtt(Detecting()->rack.MinRtt());
    }
    if (m_observer)
    {
        m_observer->Observe(rtt, lostBytes, inFlightBytes);
    }
}

void
CorrectedSocket::ObserveLoss(const Scoreboard::Segment& segment)
{
    if (m_observer)
    {
        m_observer->ObserveLoss(segment.begin, segment.end, segment.sent);
    }
}

void
CorrectedSocket::ObserveUndo()
{
    if (m_observer)
    {
        m_observer->Undo();
    }
}

void
CorrectedSocket::RestoreWindow(ns3::TcpSocketState::TcpCongState_t before,
                               ns3::TcpSocketState::TcpCongState_t now)
{
    if (now != ns3::TcpSocketState::CA_OPEN || !m_congestionControl->HasCongControl())
    {
        return;
    }
    if (before == ns3::TcpSocketState::CA_LOSS)
    {
        m_congestionControl->CwndEvent(m_tcb, ns3::TcpSocketState::CA_EVENT_COMPLETE_CWR);
    }
    else if (before == ns3::TcpSocketState::CA_RECOVERY)
    {
        // The control has restored its window. ns-3 now replaces it by the threshold.
        m_ssThresh = m_tcb->m_ssThresh.Get();
        m_tcb->m_ssThresh = m_tcb->m_cWnd.Get();
    }
}

void
CorrectedSocket::ReceivedAck(ns3::Ptr<ns3::Packet> packet, const ns3::TcpHeader& header)
{
    UndoSocket::ReceivedAck(packet, header);
    if (m_ssThresh)
    {
        m_tcb->m_ssThresh = *m_ssThresh;
        m_ssThresh.reset();
    }
    m_writes.Continue(m_txBuffer->HeadSequence(),
                      m_tcb->m_highTxMark,
                      m_tcb->m_cWnd,
                      m_tcb->m_segmentSize);
}

void
CorrectedSocket::ReceivedData(ns3::Ptr<ns3::Packet> packet, const ns3::TcpHeader& header)
{
    const auto begin = header.GetSequenceNumber();
    const auto end = begin + packet->GetSize();
    const auto& buffer = m_tcb->m_rxBuffer;
    const auto next = buffer->NextRxSequence();
    const bool canGrow = end > next && (m_sackEnabled || begin <= next);
    const bool isGrowing =
        canGrow &&
        m_receiveWindow.Receive(next, packet->GetSize(), buffer->Size(), m_tcb->m_segmentSize);
    MeasureRtt(header);
    const bool isQuick = m_corrections.quickAck && (m_quickAcks.Take(isGrowing, m_rto) ||
                                                    (begin <= next && IsPushed(*packet)));
    if (isQuick)
    {
        m_delAckCount = m_delAckMaxCount; // as ns-3 does for the first segment
    }
    if (!m_compressedAck.IsExpired() && NeedsNewBlock(begin, end))
    {
        SendAckNow();
    }
    m_mayCompress = m_corrections.sackCompression && m_sackEnabled && !isQuick && end > next &&
                    begin < buffer->MaxRxSequence();
    UndoSocket::ReceivedData(packet, header);
    m_mayCompress = false;
    if (buffer->NextRxSequence() > next)
    {
        m_receiveWindow.Read(buffer->NextRxSequence());
        // Without SACK, ns-3 takes an ACK that only opens the window for a duplicate.
        if (m_corrections.receiveWindow && m_sackEnabled && !buffer->GotFin() &&
            m_receiveWindow.HasDoubled(buffer->NextRxSequence(), buffer->Size()))
        {
            SendAckNow();
        }
    }
}

void
CorrectedSocket::Push(ns3::Ptr<const ns3::Packet> packet,
                      const ns3::TcpHeader& header,
                      ns3::Ptr<const ns3::TcpSocketBase> sender)
{
    const auto socket = ns3::StaticCast<const CorrectedSocket>(sender);
    const auto begin = header.GetSequenceNumber();
    const auto end = begin + packet->GetSize();
    if (packet->GetSize() > 0 &&
        (socket->m_txBuffer->SizeFromSequence(end) == 0 || socket->m_writes.EndIn(begin, end)))
    {
        packet->AddPacketTag(PushedTag());
    }
}

bool
CorrectedSocket::IsPushed(const ns3::Packet& packet) const
{
    PushedTag tag;
    const bool hasSent = m_txBuffer->HeadSequence() > ns3::SequenceNumber32(1);
    const bool hasGap = m_tcb->m_rxBuffer->Size() > 0; // what is in order has been read
    return !hasSent && !hasGap &&
           (packet.GetSize() < m_tcb->m_segmentSize || packet.PeekPacketTag(tag));
}

void
CorrectedSocket::MeasureRtt(const ns3::TcpHeader& header)
{
    const auto option = header.GetOption(ns3::TcpOption::TS);
    if (!option)
    {
        m_receiveWindow.MeasureRtt(m_rtt->GetEstimate());
        return;
    }
    // tcp_rcv_rtt_measure_ts() in Linux.
    const auto* stamps = static_cast<const ns3::TcpOptionTS*>(ns3::PeekPointer(option));
    const auto rtt = ns3::TcpOptionTS::ElapsedTimeFromTsValue(stamps->GetEcho());
    if (stamps->GetEcho() != m_echo && rtt.IsStrictlyPositive())
    {
        m_receiveWindow.MeasureRtt(rtt);
    }
    m_echo = stamps->GetEcho();
}

uint16_t
CorrectedSocket::AdvertisedWindowSize(bool scale) const
{
    const uint16_t whole = UndoSocket::AdvertisedWindowSize(scale);
    const auto& buffer = m_tcb->m_rxBuffer;
    if (!m_corrections.receiveWindow || buffer->GotFin())
    {
        return whole;
    }
    const uint8_t shift = scale ? m_rcvWindShift : 0;
    const auto own = m_receiveWindow.Offer(buffer->NextRxSequence(), buffer->Size(), shift);
    return std::min<uint32_t>(whole, own >> shift);
}

uint32_t
CorrectedSocket::WindowOfWholeSegments() const
{
    const uint32_t window = m_rWnd;
    const uint32_t sent = UnAckDataCount();
    const uint32_t left = window - std::min(window, sent);
    if (m_txBuffer->SizeFromSequence(m_tcb->m_highTxMark) <= left)
    {
        return window;
    }
    const uint32_t whole = left / m_tcb->m_segmentSize * m_tcb->m_segmentSize;
    // Before 3.41, ns-3 would send an empty segment if the window were equal to what is in flight.
    return whole > 0 ? sent + whole : std::max(sent, 1U) - 1;
}

} // namespace tcpsweep
