// SPDX-License-Identifier: MIT
#include "lr-wpan.h"

#include "damage.h"
#include "interface-id.h"
#include "sixlowpan.h"

#include <algorithm>

namespace tcpsweep
{

namespace
{

// Numbers of kinds of frames, in addition to `SixLowPanKind`.
constexpr uint32_t LR_WPAN_FRAME = 0x100; // with the frame's type
constexpr uint32_t LR_WPAN_VERSION = 0x200;
constexpr uint32_t LR_WPAN_ENCRYPTED = 0x201;

constexpr size_t PAN_BYTES = 2;

/// The mode of an address, a number in the frame control field.
enum FrameAddressMode : uint16_t
{
    NONE = 0,
    SHORT = 2,
    EXTENDED = 3,
};

/**
 * @param mode the mode of an address
 * @return its length
 */
size_t
AddressBytes(uint16_t mode)
{
    return mode == SHORT ? 2 : mode == EXTENDED ? 8 : 0;
}

/**
 * @param mode the mode of an address
 * @param address it, the lowest byte first
 * @return the interface identifier derived from it
 */
std::optional<InterfaceId>
InterfaceIdOf(uint16_t mode, const uint8_t* address)
{
    std::array<uint8_t, 8> bytes{};
    std::reverse_copy(address, address + AddressBytes(mode), bytes.begin());
    switch (mode)
    {
    case SHORT:
        return InterfaceIdOfShort(bytes.data());
    case EXTENDED:
        return InterfaceIdOfExtended(bytes.data());
    default:
        return std::nullopt;
    }
}

} // namespace

std::optional<Payload>
ReadLrWpan(const Rest& frame, bool hasChecksum, std::vector<uint8_t>& space)
{
    constexpr size_t CHECKSUM_BYTES = 2;
    constexpr size_t FIXED_BYTES = 3; // frame control and sequence number
    constexpr uint32_t DATA = 1;
    constexpr uint16_t SECURITY = 0x0008;
    constexpr uint16_t PAN_COMPRESSION = 0x0040;
    if (frame.captured < FIXED_BYTES)
    {
        return std::nullopt;
    }
    const uint16_t control = Read16LittleEndian(frame.data);
    const uint32_t type = control & 7;
    const uint16_t destinationMode = control >> 10 & 3;
    const uint16_t sourceMode = control >> 14;
    if (type != DATA)
    {
        return OtherPayload(LR_WPAN_FRAME | type, frame);
    }
    if ((control >> 12 & 3) > 1)
    {
        return OtherPayload(LR_WPAN_VERSION, frame);
    }
    if (control & SECURITY)
    {
        return OtherPayload(LR_WPAN_ENCRYPTED, frame);
    }
    if (destinationMode == 1 || sourceMode == 1)
    {
        throw Damage(frame.offset, "an 802.15.4 frame with the reserved addressing mode 1");
    }
    const bool hasSourcePan = sourceMode && !(control & PAN_COMPRESSION);
    const size_t destination = FIXED_BYTES + (destinationMode ? PAN_BYTES : 0);
    const size_t source =
        destination + AddressBytes(destinationMode) + (hasSourcePan ? PAN_BYTES : 0);
    const size_t headerBytes = source + AddressBytes(sourceMode);
    const Rest checked = hasChecksum ? frame.Only(frame.length - CHECKSUM_BYTES) : frame;
    if (checked.captured < headerBytes)
    {
        return std::nullopt;
    }
    const LinkEnds ends{InterfaceIdOf(sourceMode, frame.data + source),
                        InterfaceIdOf(destinationMode, frame.data + destination)};
    return ReadSixLowPan(checked.Behind(headerBytes), ends, space);
}

std::string
LrWpanName(uint32_t number)
{
    if (number < LR_WPAN_FRAME)
    {
        return SixLowPanName(static_cast<SixLowPanKind>(number));
    }
    switch (number)
    {
    case LR_WPAN_FRAME:
        return "802.15.4 beacon";
    case LR_WPAN_FRAME | 2:
        return "802.15.4 acknowledgment";
    case LR_WPAN_FRAME | 3:
        return "802.15.4 command";
    case LR_WPAN_VERSION:
        return "802.15.4 data of another version";
    case LR_WPAN_ENCRYPTED:
        return "802.15.4 encrypted data";
    default:
        return "802.15.4 type " + std::to_string(number - LR_WPAN_FRAME);
    }
}

} // namespace tcpsweep
