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

/// The headers of an IPv6 packet, restored to their form before compression.
class Ipv6Headers
{
  public:
    /// @param[out] space receives them
    explicit Ipv6Headers(std::vector<uint8_t>& space);

    /// @param trafficClass DSCP, followed by the ECN bits
    void SetTrafficClass(uint8_t trafficClass);

    /// @param limit the number of hops left
    void SetHopLimit(uint8_t limit);

    /// @return the place of the source address, which is still zero
    uint8_t* Source();

    /// @return the place of the destination address, which is still zero
    uint8_t* Destination();

    /// @param protocol the protocol after the last header so far
    void SetNext(uint8_t protocol);

    /**
     * Add an extension header, filled up to a multiple of 8 bytes.
     *
     * @param protocol its number
     * @param data its bytes after its length
     * @param count the number of these bytes
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
     * Add the bytes after the headers.
     *
     * @param rest these bytes
     * @param packetBytes length of the whole packet, if the rest does not state it
     * @return the packet; offsets after the headers are offsets in the file
     * @throws Damage if the headers do not fit into the length, or the packet into IPv6
     */
    Rest Close(const Rest& rest, std::optional<size_t> packetBytes);

  private:
    /**
     * @param at the place to write to
     * @param value a number, in network byte order
     */
    void Write16(size_t at, size_t value);

    std::vector<uint8_t>& m_space; //!< the headers
    size_t m_nextAt;               //!< the place of the last one's next protocol
    size_t m_udpAt{0};             //!< where UDP's header begins, 0 if there is none
};

} // namespace tcpsweep

#endif // TCPSWEEP_IPV6_HEADERS_H
