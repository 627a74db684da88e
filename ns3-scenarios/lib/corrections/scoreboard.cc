// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/scoreboard.h"

#include "corrections/private-member.h"

#include <ns3/packet.h>
#include <ns3/tcp-tx-item.h>

#include <cstdint>
#include <list>
#include <utility>

namespace tcpsweep
{

TCPSWEEP_PRIVATE_MEMBER(SentList, ns3::TcpTxBuffer, m_sentList, std::list<ns3::TcpTxItem*>);
TCPSWEEP_PRIVATE_MEMBER(LostOut, ns3::TcpTxBuffer, m_lostOut, uint32_t);
TCPSWEEP_PRIVATE_MEMBER(RetransmittedBytes, ns3::TcpTxBuffer, m_retrans, uint32_t);
TCPSWEEP_PRIVATE_MEMBER(
    HighestSack,
    ns3::TcpTxBuffer,
    m_highestSack,
    std::pair<std::list<ns3::TcpTxItem*>::const_iterator, ns3::SequenceNumber32>);
TCPSWEEP_PRIVATE_MEMBER(ItemBegin, ns3::TcpTxItem, m_startSeq, ns3::SequenceNumber32);
TCPSWEEP_PRIVATE_MEMBER(ItemIsLost, ns3::TcpTxItem, m_lost, bool);

Scoreboard::Scoreboard(ns3::Ptr<ns3::TcpTxBuffer> buffer)
    : m_buffer(buffer)
{
}

void
Scoreboard::ForEach(const std::function<bool(const Segment&)>& visit) const
{
    const auto* buffer = ns3::PeekPointer(m_buffer);
    for (auto* item : buffer->*Member(SentList()))
    {
        const auto begin = item->*Member(ItemBegin());
        const Segment segment{begin,
                              begin + item->GetSeqSize(),
                              item->GetLastSent(),
                              item->IsSacked(),
                              item->*Member(ItemIsLost()),
                              item->IsRetrans(),
                              item};
        if (!visit(segment))
        {
            return;
        }
    }
}

void
Scoreboard::ObserveLosses(std::function<void(const Segment&)> observe)
{
    m_observe = std::move(observe);
}

void
Scoreboard::TimeOut() const
{
    ForEach(
        [this](const Segment& segment)
        {
            if (!segment.isSacked && (!segment.isLost || segment.isRetransmitted))
            {
                m_observe(segment);
            }
            return true;
        });
}

void
Scoreboard::MarkLost(const Segment& segment)
{
    m_observe(segment);
    auto* buffer = ns3::PeekPointer(m_buffer);
    m_lostBytes += segment.end - segment.begin;
    if (segment.isRetransmitted)
    {
        segment.item->m_retrans = false;
        buffer->*Member(RetransmittedBytes()) -= segment.end - segment.begin;
    }
    if (!segment.isLost)
    {
        segment.item->*Member(ItemIsLost()) = true;
        buffer->*Member(LostOut()) += segment.end - segment.begin;
    }
}

void
Scoreboard::UnmarkLost()
{
    auto* buffer = ns3::PeekPointer(m_buffer);
    ForEach(
        [buffer](const Segment& segment)
        {
            if (segment.isLost)
            {
                segment.item->*Member(ItemIsLost()) = false;
                buffer->*Member(LostOut()) -= segment.end - segment.begin;
            }
            return true;
        });
}

bool
Scoreboard::HasRetransmissionsFrom(ns3::SequenceNumber32 begin) const
{
    bool found = false;
    ForEach(
        [begin, &found](const Segment& segment)
        {
            found = segment.begin >= begin && segment.isRetransmitted;
            return !found;
        });
    return found;
}

uint32_t
Scoreboard::RetransmissionsInFlight() const
{
    uint32_t count = 0;
    ForEach(
        [&count](const Segment& segment)
        {
            count += segment.isRetransmitted;
            return true;
        });
    return count;
}

bool
Scoreboard::HasLostToSend() const
{
    bool found = false;
    ForEach(
        [&found](const Segment& segment)
        {
            found = segment.isLost && !segment.isRetransmitted;
            return !found;
        });
    return found;
}

void
Scoreboard::OfferAllLost(ns3::SequenceNumber32 sent)
{
    auto* buffer = ns3::PeekPointer(m_buffer);
    // Without a segment, the next SACK sets both.
    buffer->*Member(HighestSack()) = {(buffer->*Member(SentList())).end(), sent};
}

ns3::Time
Scoreboard::OldestSent() const
{
    const auto& items = ns3::PeekPointer(m_buffer)->*Member(SentList());
    return items.empty() ? ns3::Time() : items.front()->GetLastSent();
}

uint32_t
Scoreboard::LastSize() const
{
    const auto* buffer = ns3::PeekPointer(m_buffer);
    return (buffer->*Member(SentList())).back()->GetSeqSize();
}

uint64_t
Scoreboard::LostBytes() const
{
    return m_lostBytes;
}

void
Scoreboard::RemoveArrivedRetransmissions()
{
    auto* buffer = ns3::PeekPointer(m_buffer);
    if (buffer->GetRetransmitsCount() == 0)
    {
        return; // as after most ACKs: the list is as long as the window
    }
    ForEach(
        [buffer](const Segment& segment)
        {
            if (segment.isSacked && segment.isRetransmitted)
            {
                segment.item->m_retrans = false;
                buffer->*Member(RetransmittedBytes()) -= segment.end - segment.begin;
            }
            return true;
        });
}

} // namespace tcpsweep
