// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/sack-blocks.h"

#include <iterator>

namespace tcpsweep
{

ns3::TcpOptionSack::SackList
SackBlocks(const ns3::TcpHeader& header)
{
    if (!header.HasOption(ns3::TcpOption::SACK))
    {
        return {};
    }
    return ns3::DynamicCast<const ns3::TcpOptionSack>(header.GetOption(ns3::TcpOption::SACK))
        ->GetSackList();
}

std::optional<ns3::TcpOptionSack::SackBlock>
DuplicateIn(const ns3::TcpHeader& header)
{
    const auto blocks = SackBlocks(header);
    if (blocks.empty())
    {
        return {};
    }
    const auto& first = blocks.front();
    const auto second = std::next(blocks.begin());
    const bool isInSecond =
        second != blocks.end() && second->first <= first.first && first.second <= second->second;
    if (first.first >= header.GetAckNumber() && !isInSecond)
    {
        return {};
    }
    return first;
}

ns3::TcpHeader
WithSack(const ns3::TcpHeader& header, const ns3::TcpOptionSack::SackList& blocks)
{
    ns3::TcpHeader copy;
    copy.SetSourcePort(header.GetSourcePort());
    copy.SetDestinationPort(header.GetDestinationPort());
    copy.SetSequenceNumber(header.GetSequenceNumber());
    copy.SetAckNumber(header.GetAckNumber());
    copy.SetFlags(header.GetFlags());
    copy.SetWindowSize(header.GetWindowSize());
    copy.SetUrgentPointer(header.GetUrgentPointer());
    for (const auto& option : header.GetOptionList())
    {
        if (option->GetKind() != ns3::TcpOption::SACK)
        {
            copy.AppendOption(option);
        }
    }
    if (!blocks.empty())
    {
        const auto option = ns3::CreateObject<ns3::TcpOptionSack>();
        for (const auto& block : blocks)
        {
            option->AddSackBlock(block);
        }
        copy.AppendOption(option);
    }
    return copy;
}

ns3::TcpHeader
WithNews(const ns3::TcpHeader& header)
{
    auto blocks = SackBlocks(header);
    if (blocks.empty() || blocks.front().first >= header.GetAckNumber())
    {
        return header;
    }
    blocks.pop_front();
    return WithSack(header, blocks);
}

} // namespace tcpsweep
