// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_IPV6_HEADERS_H
#define TCPSWEEP_IPV6_HEADERS_H

#include "bytes.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tcpsweep
{

/// The headers of an IPv6 packet, written anew as they were before they were compressed.
class Ipv6Headers
{
  public:
    /// @param[out] space receives them
    explicit Ipv6Headers(std::vector<uint8_t>& space);

    /// @param trafficClass DSCP, and behind it the ECN bits
    void SetTrafficClass(uint8_t trafficClass);

    /// @param limit how many hops are left
    void SetHopLimit(uint8_t limit);

    /// @return where the source address belongs, zeros as yet
    uint8_t* Source();

    /// @return where the destination address belongs, zeros as yet
    uint8_t* Destination();

    /// @param protocol what is behind the last header so far
    void SetNext(uint8_t protocol);

    /**
     * Add an extension header, filled up to a multiple of 8 bytes.
     *
     * @param protocol its number
     * @param data what it has behind its length
     * @param count how many bytes that is
     */
    void AddExtension(uint8_t protocol, const uint8_t* data, size_t count);

    /**
     * Add a header of UDP, the last one. Its checksum is left out.
     *
     * @param source the source port
     * @param destination the destination port
     */
    void AddUdp(uint16_t source, uint16_t destination);

    /**
     * Add what is behind the headers.
     *
     * @param rest it
     * @param packetBytes length of the whole packet, where the rest does not tell it
     * @return the packet; places behind the headers are those in the file
     * @throws Damage where the headers do not fit into the length, or the packet into IPv6
     */
    Rest Close(const Rest& rest, std::optional<size_t> packetBytes);

  private:
    /**
     * @param at where to write
     * @param value a number, in network byte order
     */
    void Write16(size_t at, size_t value);

    std::vector<uint8_t>& m_space; //!< the headers
    size_t m_nextAt;               //!< where the last one says what is behind it
    size_t m_udpAt{0};             //!< where UDP's begins, 0 where there is none
};

} // namespace tcpsweep

#endif // TCPSWEEP_IPV6_HEADERS_H
