// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/duplicate-reports.h"

#include "corrections/private-member.h"

#include <ns3/ipv4-end-point.h>
#include <ns3/ipv6-end-point.h>
#include <ns3/tcp-rx-buffer.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace tcpsweep
{

namespace
{

constexpr std::size_t HEADER_SEQUENCE = 4; //!< the place of the sequence number in a TCP header
constexpr std::size_t HEADER_LENGTH = 12;  //!< the place of the header's length, in words
constexpr uint32_t HEADER_WORD = 4;        //!< bytes

} // namespace

TCPSWEEP_PRIVATE_MEMBER(ReportedBlocks, ns3::TcpRxBuffer, m_sackList, ns3::TcpOptionSack::SackList);

DuplicateReports::DuplicateReports(const DuplicateReports& socket)
    : AckProcessing(socket),
      m_reports(socket.m_reports)
{
}

void
DuplicateReports::UseReports()
{
    m_reports = true;
}

void
DuplicateReports::CompleteFork(ns3::Ptr<ns3::Packet> packet,
                               const ns3::TcpHeader& header,
                               const ns3::Address& from,
                               const ns3::Address& to)
{
    TcpSocketBase::CompleteFork(packet, header, from, to);
    Follow();
}

int
DuplicateReports::Connect(const ns3::Address& address)
{
    const int result = TcpSocketBase::Connect(address);
    Follow();
    return result;
}

void
DuplicateReports::Follow()
{
    const ns3::Ptr<DuplicateReports> self(this);
    if (m_reports && m_endPoint)
    {
        m_endPoint->SetRxCallback(ns3::MakeCallback(&DuplicateReports::Receive, self));
    }
    if (m_reports && m_endPoint6)
    {
        m_endPoint6->SetRxCallback(ns3::MakeCallback(&DuplicateReports::Receive6, self));
    }
}

void
DuplicateReports::Receive(ns3::Ptr<ns3::Packet> packet,
                          ns3::Ipv4Header header,
                          uint16_t port,
                          ns3::Ptr<ns3::Ipv4Interface> interface)
{
    FindDuplicate(packet);
    ForwardUp(packet, header, port, interface);
}

void
DuplicateReports::Receive6(ns3::Ptr<ns3::Packet> packet,
                           ns3::Ipv6Header header,
                           uint16_t port,
                           ns3::Ptr<ns3::Ipv6Interface> interface)
{
    FindDuplicate(packet);
    ForwardUp6(packet, header, port, interface);
}

void
DuplicateReports::FindDuplicate(ns3::Ptr<const ns3::Packet> packet)
{
    // ns-3 would read all options, too, which takes long.
    std::array<uint8_t, HEADER_LENGTH + 1> fields{};
    packet->CopyData(fields.data(), fields.size());
    const uint32_t headerBytes = (fields[HEADER_LENGTH] >> 4) * HEADER_WORD;
    if (packet->GetSize() <= headerBytes || !m_sackEnabled)
    {
        return;
    }
    const ns3::SequenceNumber32 begin(
        uint32_t{fields[HEADER_SEQUENCE]} << 24 | uint32_t{fields[HEADER_SEQUENCE + 1]} << 16 |
        uint32_t{fields[HEADER_SEQUENCE + 2]} << 8 | fields[HEADER_SEQUENCE + 3]);
    const auto end = begin + (packet->GetSize() - headerBytes);
    const auto next = m_tcb->m_rxBuffer->NextRxSequence();
    auto& blocks = ns3::PeekPointer(m_tcb->m_rxBuffer)->*Member(ReportedBlocks());
    const auto holder = std::find_if(blocks.begin(),
                                     blocks.end(),
                                     [&](const auto& block)
                                     { return block.first <= begin && end <= block.second; });
    if (begin < next)
    {
        m_duplicate = {begin, std::min(end, next)};
    }
    else if (holder != blocks.end())
    {
        m_duplicate = {begin, end};
        blocks.splice(blocks.begin(), blocks, holder);
    }
}

bool
DuplicateReports::CanReport(const ns3::TcpOptionSack::SackList& blocks) const
{
    // DCTCP first acknowledges what arrived before a change of marks: its number may be below the
    // duplicate, which the sender would then take for news.
    return m_duplicate->second <= m_tcb->m_rxBuffer->NextRxSequence() ||
           (!blocks.empty() && blocks.front().first <= m_duplicate->first &&
            m_duplicate->second <= blocks.front().second);
}

void
DuplicateReports::SendEmptyPacket(uint8_t flags)
{
    auto& blocks = ns3::PeekPointer(m_tcb->m_rxBuffer)->*Member(ReportedBlocks());
    if (!m_duplicate || !(flags & ns3::TcpHeader::ACK) || !CanReport(blocks))
    {
        TcpSocketBase::SendEmptyPacket(flags);
        return;
    }
    blocks.push_front(*m_duplicate);
    m_duplicate.reset();
    TcpSocketBase::SendEmptyPacket(flags);
    blocks.pop_front();
}

} // namespace tcpsweep
