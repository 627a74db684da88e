// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/scoreboard.h"

#include <ns3/packet.h>
#include <ns3/tcp-tx-item.h>

#include <cstdint>
#include <list>

namespace tcpsweep
{

namespace
{

/**
 * Gives access to a private member: an explicit instantiation may name it ([temp.spec] in the C++
 * standard).
 *
 * @tparam Name a class that names the member's type as Pointer
 * @tparam member the member
 */
template <typename Name, typename Name::Pointer member>
struct Private
{
    /// @return the member
    friend typename Name::Pointer
    Member(Name)
    {
        return member;
    }
};

/// Declares NAME as the name of a private member of a class of ns-3's.
#define PRIVATE_MEMBER(NAME, CLASS, MEMBER, ...) \
    struct NAME                                  \
    {                                            \
        using Pointer = __VA_ARGS__ CLASS::*;    \
        friend Pointer Member(NAME);             \
    };                                           \
    template struct Private<NAME, &CLASS::MEMBER>

PRIVATE_MEMBER(SentList, ns3::TcpTxBuffer, m_sentList, std::list<ns3::TcpTxItem*>);
PRIVATE_MEMBER(LostOut, ns3::TcpTxBuffer, m_lostOut, uint32_t);
PRIVATE_MEMBER(RetransmittedBytes, ns3::TcpTxBuffer, m_retrans, uint32_t);
PRIVATE_MEMBER(Begin, ns3::TcpTxItem, m_startSeq, ns3::SequenceNumber32);
PRIVATE_MEMBER(IsLost, ns3::TcpTxItem, m_lost, bool);

#undef PRIVATE_MEMBER

} // namespace

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
        const auto begin = item->*Member(Begin());
        const Segment segment{begin,
                              begin + item->GetSeqSize(),
                              item->GetLastSent(),
                              item->IsSacked(),
                              item->*Member(IsLost()),
                              item->IsRetrans(),
                              item};
        if (!visit(segment))
        {
            return;
        }
    }
}

void
Scoreboard::MarkLost(const Segment& segment)
{
    auto* buffer = ns3::PeekPointer(m_buffer);
    m_lostBytes += segment.end - segment.begin;
    if (segment.isRetransmitted)
    {
        segment.item->m_retrans = false;
        buffer->*Member(RetransmittedBytes()) -= segment.end - segment.begin;
    }
    if (!segment.isLost)
    {
        segment.item->*Member(IsLost()) = true;
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
                segment.item->*Member(IsLost()) = false;
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
