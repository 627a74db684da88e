// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_INTERFACE_ID_H
#define TCPSWEEP_INTERFACE_ID_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace tcpsweep
{

/// The lower half of an IPv6 address.
using InterfaceId = std::array<uint8_t, 8>;

/// The length of the upper half.
constexpr size_t PREFIX_BYTES = 8;

/// The length of an IPv6 address.
constexpr size_t IPV6_ADDRESS_BYTES = 16;

/**
 * @param address a short address of 802.15.4, in network byte order
 * @return its interface identifier by RFC 6282, 3.2.2. The identifier of RFC 4944 contains the
 * PAN's number; ns-3 and Wireshark use it only if an option says so
 */
inline InterfaceId
InterfaceIdOfShort(const uint8_t* address)
{
    return {0, 0, 0, 0xff, 0xfe, 0, address[0], address[1]};
}

/**
 * @param address an extended address of 802.15.4, in network byte order
 * @return its interface identifier by RFC 4291, appendix A
 */
inline InterfaceId
InterfaceIdOfExtended(const uint8_t* address)
{
    constexpr uint8_t UNIVERSAL = 0x02;
    InterfaceId id;
    std::copy_n(address, id.size(), id.begin());
    id[0] ^= UNIVERSAL;
    return id;
}

/// The end points of a frame, for IPv6 addresses that are derived from them.
struct LinkEnds
{
    std::optional<InterfaceId> source;      //!< derived from its sender's address, if it has one
    std::optional<InterfaceId> destination; //!< derived from its receiver's address
};

/**
 * Write the prefix of link-local addresses.
 *
 * @param[out] address an address of zeros
 */
inline void
SetLinkLocal(uint8_t* address)
{
    address[0] = 0xfe;
    address[1] = 0x80;
}

/**
 * Write the lower half of an address that is not in the packet.
 *
 * @param[out] address the address
 * @param id the interface identifier of a link's end
 * @return whether there is one
 */
inline bool
SetInterfaceId(uint8_t* address, const std::optional<InterfaceId>& id)
{
    if (id)
    {
        std::copy(id->begin(), id->end(), address + PREFIX_BYTES);
    }
    return id.has_value();
}

} // namespace tcpsweep

#endif // TCPSWEEP_INTERFACE_ID_H
