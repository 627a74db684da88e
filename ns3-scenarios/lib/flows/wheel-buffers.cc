// SPDX-License-Identifier: GPL-2.0-only
#include "flows/wheel-buffers.h"

#include "corrections/private-member.h"

#include <ns3/abort.h>
#include <ns3/assert.h>
#include <ns3/packet.h>
#include <ns3/simulator.h>
#include <ns3/tcp-header.h>
#include <ns3/tcp-rx-buffer.h>

#include <algorithm>
#include <cstdint>
#include <dlfcn.h>
#include <iterator>

namespace tcpsweep
{

NS_OBJECT_ENSURE_REGISTERED(SentSegments);

TCPSWEEP_PRIVATE_MEMBER(SegmentBegin, ns3::TcpTxItem, m_startSeq, ns3::SequenceNumber32);

namespace
{

constexpr size_t AHEAD = 8; //!< segments for which a walk asks the memory beforehand

/// @param place a segment's place in ns-3's list @return the segment
SentSegments::Segment
SegmentAt(SentSegments::List::iterator place)
{
    return {*place->*Member(SegmentBegin()), *place, place};
}

/// @tparam Function the type of a function with the object as its first argument, as member
/// functions have it (Itanium C++ ABI, 3.2.1)
/// @param name a mangled name
/// @return ns-3's own definition of the function
template <typename Function>
Function
DefinitionOfNs3(const char* name)
{
    const auto definition = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
    NS_ABORT_MSG_UNLESS(definition, "this ns-3 has no function " << name);
    return definition;
}

/// @return ns-3's own definition of ns3::TcpTxBuffer::CopyFromSequence
auto
CopyFromSequenceOfNs3()
{
    using Function = ns3::TcpTxItem* (*)(ns3::TcpTxBuffer*, uint32_t, const ns3::SequenceNumber32&);
    static const auto function = DefinitionOfNs3<Function>(
        "_ZN3ns311TcpTxBuffer16CopyFromSequenceEjRKNS_14SequenceNumberIjiEE");
    return function;
}

/// @return ns-3's own definition of ns3::TcpRxBuffer::Add
auto
AddOfNs3()
{
    using Function = bool (*)(ns3::TcpRxBuffer*, ns3::Ptr<ns3::Packet>, const ns3::TcpHeader&);
    static const auto function =
        DefinitionOfNs3<Function>("_ZN3ns311TcpRxBuffer3AddENS_3PtrINS_6PacketEEERKNS_9TcpHeaderE");
    return function;
}

} // namespace

ns3::TypeId
SentSegments::GetTypeId()
{
    static const ns3::TypeId tid = ns3::TypeId("tcpsweep::SentSegments")
                                       .SetParent<ns3::Object>()
                                       .AddConstructor<SentSegments>();
    return tid;
}

SentSegments&
SentSegments::Of(ns3::TcpTxBuffer* buffer)
{
    auto segments = buffer->GetObject<SentSegments>();
    if (!segments)
    {
        segments = ns3::CreateObject<SentSegments>();
        buffer->AggregateObject(segments);
    }
    return *segments;
}

void
SentSegments::Forget()
{
    m_segments.clear();
    m_gone = 0;
}

void
SentSegments::Drop(List& list)
{
    if (list.empty())
    {
        Forget();
    }
    while (Count() > 0 && m_segments[m_gone].place != list.begin())
    {
        ++m_gone;
    }
    while (Count() > 0 && m_segments.back().place != std::prev(list.end()))
    {
        m_segments.pop_back();
    }
    if (Count() != list.size())
    {
        Forget();
        return;
    }
    if (2 * m_gone > m_segments.size())
    {
        m_segments.erase(m_segments.begin(), m_segments.begin() + m_gone);
        m_gone = 0;
    }
    if (Count() > 0)
    {
        // An ACK may cover a part of the first segment.
        m_segments[m_gone].begin = *list.begin()->*Member(SegmentBegin());
    }
}

void
SentSegments::Follow(List& list)
{
    Drop(list);
    if (Count() == 0)
    {
        for (auto place = list.begin(); place != list.end(); ++place)
        {
            m_segments.push_back(SegmentAt(place));
        }
    }
}

void
SentSegments::Append(List& list)
{
    if (Count() > 0)
    {
        m_segments.push_back(SegmentAt(std::prev(list.end())));
    }
}

size_t
SentSegments::Count() const
{
    return m_segments.size() - m_gone;
}

const SentSegments::Segment&
SentSegments::At(size_t position, int step) const
{
    const auto ahead = position + AHEAD * step;
    if (ahead < Count())
    {
        __builtin_prefetch(m_segments[m_gone + ahead].item);
    }
    return m_segments[m_gone + position];
}

size_t
SentSegments::FirstFrom(ns3::SequenceNumber32 seq) const
{
    const auto first = m_segments.begin() + m_gone;
    return std::lower_bound(first,
                            m_segments.end(),
                            seq,
                            [](const auto& segment, auto bound) { return segment.begin < bound; }) -
           first;
}

} // namespace tcpsweep

#ifdef TCPSWEEP_WHEEL

using tcpsweep::SentSegments;

ns3::TcpTxItem*
ns3::TcpTxBuffer::CopyFromSequence(uint32_t numBytes, const SequenceNumber32& seq)
{
    auto& segments = SentSegments::Of(this);
    const auto end = m_firstByteSeq.Get() + m_sentSize;
    const auto bytes = std::min(numBytes, SizeFromSequence(seq));
    if (seq >= end)
    {
        segments.Drop(m_sentList);
        auto* const item = tcpsweep::CopyFromSequenceOfNs3()(this, numBytes, seq);
        if (item)
        {
            segments.Append(m_sentList);
        }
        return item;
    }
    segments.Follow(m_sentList);
    const auto position = segments.FirstFrom(seq);
    // ns-3 splits a segment, or merges it with the next one if both have the same state.
    const auto isWhole = [this, &segments, seq, bytes, end](size_t position)
    {
        if (bytes == 0 || seq + bytes > end || position == segments.Count())
        {
            return false;
        }
        const auto& [begin, item, place] = segments.At(position, 1);
        const auto next = std::next(place);
        const bool isAlone =
            next == m_sentList.end() || (*next)->m_sacked || (*next)->m_lost != item->m_lost;
        const auto size = item->GetSeqSize();
        return begin == seq && !item->m_sacked && (bytes == size || (bytes > size && isAlone));
    };
    if (!isWhole(position))
    {
        auto* const item = tcpsweep::CopyFromSequenceOfNs3()(this, numBytes, seq);
        segments.Forget();
        return item;
    }
    auto* const item = segments.At(position, 1).item;
    if (!item->m_retrans)
    {
        m_retrans += item->GetSeqSize();
        item->m_retrans = true;
    }
    item->m_lastSent = Simulator::Now();
    return item;
}

uint32_t
ns3::TcpTxBuffer::Update(const TcpOptionSack::SackList& list,
                         const Callback<void, TcpTxItem*>& sackedCb)
{
    auto& segments = SentSegments::Of(this);
    segments.Follow(m_sentList);
    uint32_t newBytes = 0;
    for (const auto& block : list)
    {
        if (m_firstByteSeq.Get() + m_sentSize < block.first)
        {
            return newBytes;
        }
        for (auto at = segments.FirstFrom(block.first); at < segments.Count(); ++at)
        {
            const auto& [begin, item, place] = segments.At(at, 1);
            if (begin >= block.second)
            {
                break;
            }
            if (item->m_sacked)
            {
                continue;
            }
            const auto bytes = item->GetSeqSize();
            if (begin + bytes > block.second)
            {
                break;
            }
            if (item->m_lost)
            {
                item->m_lost = false;
                m_lostOut -= bytes;
            }
            item->m_sacked = true;
            m_sackedOut += bytes;
            newBytes += bytes;
            if (m_highestSack.first == m_sentList.end() || m_highestSack.second <= begin + bytes)
            {
                m_sackSeen = true;
                m_highestSack = {place, begin};
            }
            if (!sackedCb.IsNull())
            {
                sackedCb(item);
            }
        }
    }
    if (newBytes == 0)
    {
        return 0;
    }
    // A segment is lost if enough segments after it were reported.
    const auto highest = segments.FirstFrom(m_highestSack.second);
    NS_ASSERT(highest < segments.Count() && segments.At(highest, -1).place == m_highestSack.first);
    uint32_t sacked = 0;
    for (auto at = highest + 1; at-- > 0;)
    {
        auto* const item = segments.At(at, -1).item;
        sacked += item->m_sacked && at > 0;
        // ns-3 does not ask whether the first segment was reported.
        const bool mayBeLost = !item->m_lost && (!item->m_sacked || at == 0);
        if (sacked >= m_dupAckThresh && mayBeLost)
        {
            item->m_lost = true;
            m_lostOut += item->GetSeqSize();
        }
    }
    NS_ASSERT(!m_sentList.front()->m_sacked);
    return newBytes;
}

bool
ns3::TcpTxBuffer::NextSeg(SequenceNumber32* seq, SequenceNumber32* seqHigh, bool isRecovery) const
{
    // The rules are those of RFC 6675, NextSeg. The third one allows a segment that is not lost.
    SequenceNumber32 third;
    bool hasThird = false;
    if (m_lostOut > 0 || isRecovery)
    {
        auto* const self = const_cast<TcpTxBuffer*>(this);
        auto& segments = SentSegments::Of(self);
        segments.Follow(self->m_sentList);
        for (size_t at = 0; at < segments.Count(); ++at)
        {
            const auto& [begin, item, place] = segments.At(at, 1);
            if (m_sackSeen && begin >= m_highestSack.second)
            {
                break;
            }
            if (item->m_retrans || item->m_sacked)
            {
                continue;
            }
            if (item->m_lost)
            {
                *seq = begin;
                *seqHigh = begin + m_segmentSize;
                return true;
            }
            if (isRecovery && third.GetValue() == 0)
            {
                hasThird = true;
                third = begin;
            }
        }
    }
    if (SizeFromSequence(m_firstByteSeq.Get() + m_sentSize) > 0)
    {
        const uint32_t window = m_rWndCallback();
        if (m_sentSize >= window)
        {
            return false;
        }
        *seq = m_firstByteSeq.Get() + m_sentSize;
        *seqHigh = *seq + std::min(m_segmentSize, window - m_sentSize);
        return true;
    }
    if (hasThird)
    {
        *seq = third;
        *seqHigh = third + m_segmentSize;
    }
    return hasThird;
}

bool
ns3::TcpRxBuffer::Add(Ptr<Packet> p, const TcpHeader& tcph)
{
    const auto begin = tcph.GetSequenceNumber();
    const auto end = begin + p->GetSize();
    const auto next = m_data.upper_bound(begin);
    // The window begins at the first byte that the application has not read.
    const bool isInWindow = !m_data.empty() && begin < end && begin >= m_nextRxSeq &&
                            end <= m_data.begin()->first + m_maxBuffer;
    const auto isApart = [this, begin, end, next]()
    {
        const auto before = next == m_data.begin() ? next : std::prev(next);
        return (next == m_data.end() || end <= next->first) &&
               (before == next || before->first + before->second->GetSize() <= begin);
    };
    if (!isInWindow || !isApart())
    {
        return tcpsweep::AddOfNs3()(this, p, tcph);
    }
    auto held = m_data.emplace_hint(next, begin, p->CreateFragment(0, p->GetSize()));
    m_size += p->GetSize();
    if (begin > m_nextRxSeq)
    {
        UpdateSackList(begin, end);
        return true;
    }
    // The segment fills a gap, so that everything up to the next gap is in order.
    for (; held != m_data.end() && held->first == m_nextRxSeq; ++held)
    {
        m_nextRxSeq += held->second->GetSize();
        m_availBytes += held->second->GetSize();
    }
    ClearSackList(m_nextRxSeq);
    if (m_gotFin && m_nextRxSeq == m_finSeq)
    {
        ++m_nextRxSeq;
    }
    return true;
}

#endif // TCPSWEEP_WHEEL
