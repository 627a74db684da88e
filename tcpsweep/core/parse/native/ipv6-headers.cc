// SPDX-License-Identifier: MIT
#include "ipv6-headers.h"

#include "damage.h"

#include <algorithm>
#include <string>

namespace tcpsweep
{

namespace
{

// RFC 8200, 3: offsets in IPv6's header, and its length.
constexpr size_t PAYLOAD_LENGTH = 4;
constexpr size_t NEXT_HEADER = 6;
constexpr size_t HOP_LIMIT = 7;
constexpr size_t SOURCE = 8;
constexpr size_t DESTINATION = 24;
constexpr size_t IPV6_BYTES = 40;

constexpr uint8_t NEXT_UDP = 17;
constexpr size_t UDP_BYTES = 8;

} // namespace

Ipv6Headers::Ipv6Headers(std::vector<uint8_t>& space)
    : m_space(space),
      m_nextAt(NEXT_HEADER)
{
    m_space.assign(IPV6_BYTES, 0);
    SetTrafficClass(0);
}

void
Ipv6Headers::SetTrafficClass(uint8_t trafficClass)
{
    Write16(0, 0x6000U | trafficClass << 4);
}

void
Ipv6Headers::SetHopLimit(uint8_t limit)
{
    m_space[HOP_LIMIT] = limit;
}

uint8_t*
Ipv6Headers::Source()
{
    return m_space.data() + SOURCE;
}

uint8_t*
Ipv6Headers::Destination()
{
    return m_space.data() + DESTINATION;
}

void
Ipv6Headers::SetNext(uint8_t protocol)
{
    m_space[m_nextAt] = protocol;
}

void
Ipv6Headers::AddExtension(uint8_t protocol, const uint8_t* data, size_t count)
{
    constexpr size_t UNIT_BYTES = 8;
    SetNext(protocol);
    m_nextAt = m_space.size();
    const size_t units = (2 + count + UNIT_BYTES - 1) / UNIT_BYTES;
    m_space.resize(m_nextAt + units * UNIT_BYTES);
    m_space[m_nextAt + 1] = static_cast<uint8_t>(units - 1);
    std::copy_n(data, count, m_space.data() + m_nextAt + 2);
}

void
Ipv6Headers::AddUdp(uint16_t source, uint16_t destination)
{
    SetNext(NEXT_UDP);
    m_udpAt = m_space.size();
    m_space.resize(m_udpAt + UDP_BYTES);
    Write16(m_udpAt, source);
    Write16(m_udpAt + 2, destination);
}

Rest
Ipv6Headers::Close(const Rest& rest, std::optional<size_t> packetBytes)
{
    constexpr size_t MOST_BYTES = IPV6_BYTES + 0xffff;
    const size_t headerBytes = m_space.size();
    const size_t length = packetBytes.value_or(headerBytes + rest.length);
    if (length < headerBytes || length > MOST_BYTES)
    {
        throw Damage(rest.offset,
                     "a compressed IPv6 packet of " + std::to_string(length) +
                         " bytes with headers of " + std::to_string(headerBytes));
    }
    Write16(PAYLOAD_LENGTH, length - IPV6_BYTES);
    if (m_udpAt)
    {
        Write16(m_udpAt + 4, length - m_udpAt);
    }
    const Rest behind = rest.Only(length - headerBytes);
    m_space.insert(m_space.end(), behind.data, behind.data + behind.captured);
    return {m_space.data(),
            m_space.size(),
            length,
            rest.offset - std::min<uint64_t>(rest.offset, headerBytes)};
}

void
Ipv6Headers::Write16(size_t at, size_t value)
{
    m_space[at] = static_cast<uint8_t>(value >> 8);
    m_space[at + 1] = static_cast<uint8_t>(value);
}

} // namespace tcpsweep
