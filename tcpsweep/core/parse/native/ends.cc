// SPDX-License-Identifier: MIT
#include "ends.h"

#include <arpa/inet.h>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace tcpsweep
{

namespace
{

constexpr size_t ENTRIES = 4096; // a power of two

/**
 * @param ends a packet's
 * @return the place of its entry
 */
size_t
Place(const Ends& ends)
{
    constexpr uint64_t ODD = 0x9e3779b97f4a7c15; // spreads differences over the upper bits
    std::array<uint64_t, 5> words;
    std::memcpy(words.data(), ends.source.bytes.data(), 16);
    std::memcpy(words.data() + 2, ends.destination.bytes.data(), 16);
    words[4] =
        uint64_t{ends.sourcePort} << 32 | uint64_t{ends.destinationPort} << 16 | ends.protocol;
    uint64_t hash = 0;
    for (const auto word : words)
    {
        hash = (hash ^ word) * ODD;
        hash ^= hash >> 32;
    }
    return hash % ENTRIES;
}

} // namespace

std::string
Address::Text() const
{
    char text[INET6_ADDRSTRLEN];
    return inet_ntop(isIpv6 ? AF_INET6 : AF_INET, bytes.data(), text, sizeof(text));
}

Address
Address::Parse(const std::string& text)
{
    Address address;
    if (inet_pton(AF_INET, text.c_str(), address.bytes.data()) == 1)
    {
        return address;
    }
    address.isIpv6 = true;
    if (inet_pton(AF_INET6, text.c_str(), address.bytes.data()) == 1)
    {
        return address;
    }
    throw std::invalid_argument("'" + text + "' is no IP address");
}

void
Flows::Add(int32_t number, const Ends& ends)
{
    const Key data(ends.source,
                   ends.destination,
                   ends.sourcePort,
                   ends.destinationPort,
                   ends.protocol);
    const Key acks(ends.destination,
                   ends.source,
                   ends.destinationPort,
                   ends.sourcePort,
                   ends.protocol);
    for (const auto& [key, isAck] : {std::pair{data, false}, std::pair{acks, true}})
    {
        const auto [known, isNew] = m_flows.insert({key, {number, isAck}});
        if (!isNew)
        {
            throw std::invalid_argument("flows " + std::to_string(known->second.flow) + " and " +
                                        std::to_string(number) +
                                        " have the same addresses and ports");
        }
    }
}

Membership
Flows::Find(const Ends& ends) const
{
    auto found = m_flows.find(
        {ends.source, ends.destination, ends.sourcePort, ends.destinationPort, ends.protocol});
    if (found == m_flows.end())
    {
        found = m_flows.find({ends.source, ends.destination, 0, 0, 0});
    }
    return found == m_flows.end() ? Membership{} : found->second;
}

EndsIndex::EndsIndex(Flows flows)
    : m_flows(std::move(flows)),
      m_entries(ENTRIES)
{
}

void
EndsIndex::BeginBlock()
{
    m_codes.clear();
    m_block++;
}

const EndsIndex::Entry&
EndsIndex::Look(const Ends& ends)
{
    auto& entry = m_entries[Place(ends)];
    if (entry.block != m_block || entry.ends != ends)
    {
        entry.ends = ends;
        entry.block = m_block;
        entry.sourceCode = Code(ends.source);
        entry.destinationCode = Code(ends.destination);
        entry.membership = ends.hasPorts ? m_flows.Find(ends) : Membership{};
    }
    return entry;
}

std::vector<std::string>
EndsIndex::Addresses() const
{
    std::vector<std::string> texts(m_codes.size());
    for (const auto& [address, code] : m_codes)
    {
        texts[code] = address.Text();
    }
    return texts;
}

uint32_t
EndsIndex::Code(const Address& address)
{
    return m_codes.try_emplace(address, static_cast<uint32_t>(m_codes.size())).first->second;
}

} // namespace tcpsweep
