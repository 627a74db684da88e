// SPDX-License-Identifier: MIT
#include "wifi.h"

#include "damage.h"
#include "ether-type.h"

#include <map>

namespace tcpsweep
{

namespace
{

// Numbers of kinds of frames, in addition to the EtherTypes and `LLC`.
constexpr uint32_t FRAME = 0x20000; // with the frame's type and subtype
constexpr uint32_t VERSION = 0x20100;
constexpr uint32_t ENCRYPTED = 0x20101;
constexpr uint32_t AGGREGATE = 0x20102;
constexpr uint32_t FRAGMENT = 0x20103;
constexpr uint32_t BAD_CHECKSUM = 0x20104;

constexpr size_t ALIGNMENT = 4; // of the bytes after a header, if radiotap says so

/**
 * Only stations of a mesh use a bit for its header; for other stations, this bit belongs to another
 * number. So look at the following bytes: LLC does not begin like a mesh header.
 *
 * @param rest the bytes after the header of a frame that may belong to a mesh
 * @return the length of the mesh header (IEEE 802.11-2020, 9.2.4.7.3), 0 if there is none,
 * nothing if it is incomplete
 */
std::optional<size_t>
MeshControlBytes(const Rest& rest)
{
    constexpr size_t LEAST_BYTES = 6;
    constexpr size_t ADDRESS_BYTES = 6;
    constexpr uint8_t MOST_ADDRESSES = 2;
    if (!rest.captured)
    {
        return std::nullopt;
    }
    const uint8_t addresses = rest.data[0]; // the other bits of the flags are reserved
    if (addresses > MOST_ADDRESSES)
    {
        return 0;
    }
    const size_t bytes = LEAST_BYTES + addresses * ADDRESS_BYTES;
    return rest.captured < bytes ? std::nullopt : std::optional(bytes);
}

/**
 * @param frame a frame
 * @param isAligned whether there is padding after its header
 * @return as `ReadWifi`
 */
std::optional<Payload>
ReadFrame(const Rest& frame, bool isAligned)
{
    constexpr uint32_t DATA = 2;
    constexpr uint32_t WITHOUT_DATA = 0x4; // in the subtype
    constexpr uint32_t QOS = 0x8;          // the same
    constexpr uint16_t TO_DS = 0x0100;
    constexpr uint16_t FROM_DS = 0x0200;
    constexpr uint16_t MORE_FRAGMENTS = 0x0400;
    constexpr uint16_t RETRY = 0x0800;
    constexpr uint16_t PROTECTED = 0x4000;
    constexpr uint16_t HT_CONTROL = 0x8000;
    constexpr size_t SEQUENCE_CONTROL = 22;
    constexpr size_t HEADER_BYTES = 24;
    constexpr size_t ADDRESS_BYTES = 6;
    constexpr size_t QOS_BYTES = 2;
    constexpr size_t HT_CONTROL_BYTES = 4;
    constexpr uint8_t FRAGMENT_NUMBER = 0x0f;
    constexpr uint8_t AGGREGATE_PRESENT = 0x80;
    constexpr uint8_t MESH_PRESENT = 0x01; // in the second byte of QoS control
    constexpr size_t LONGEST_MSDU_BYTES = 7935;

    if (frame.captured < 2)
    {
        return std::nullopt;
    }
    const uint16_t control = Read16LittleEndian(frame.data);
    const uint32_t type = control >> 2 & 3;
    const uint32_t subtype = control >> 4 & 15;
    if (control & 3)
    {
        return OtherPayload(VERSION, frame);
    }
    if (type != DATA || subtype & WITHOUT_DATA)
    {
        return OtherPayload(FRAME | type << 4 | subtype, frame);
    }
    size_t headerBytes = HEADER_BYTES;
    if (control & TO_DS && control & FROM_DS)
    {
        headerBytes += ADDRESS_BYTES;
    }
    const size_t qosAt = headerBytes;
    if (subtype & QOS)
    {
        headerBytes += control & HT_CONTROL ? QOS_BYTES + HT_CONTROL_BYTES : QOS_BYTES;
    }
    if (isAligned)
    {
        headerBytes = (headerBytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    if (frame.captured < headerBytes)
    {
        return std::nullopt;
    }
    if (control & PROTECTED)
    {
        return OtherPayload(ENCRYPTED, frame);
    }
    if (subtype & QOS && frame.data[qosAt] & AGGREGATE_PRESENT)
    {
        return OtherPayload(AGGREGATE, frame);
    }
    if (frame.data[SEQUENCE_CONTROL] & FRAGMENT_NUMBER)
    {
        return OtherPayload(FRAGMENT, frame);
    }
    Rest rest = frame.Behind(headerBytes);
    if (subtype & QOS && control & FROM_DS && frame.data[qosAt + 1] & MESH_PRESENT)
    {
        const auto meshBytes = MeshControlBytes(rest);
        if (!meshBytes)
        {
            return std::nullopt;
        }
        rest = rest.Behind(*meshBytes);
    }
    if (control & MORE_FRAGMENTS)
    {
        rest = rest.Only(LONGEST_MSDU_BYTES); // the length of all fragments is unknown
    }
    auto payload = ReadLlc(rest);
    if (payload)
    {
        payload->retry = control & RETRY;
    }
    return payload;
}

/**
 * @param header radiotap's header
 * @return its field of flags, 0 where it has none
 */
uint8_t
RadiotapFlags(const Rest& header)
{
    constexpr size_t PRESENT = 4;
    constexpr size_t PRESENT_BYTES = 4;
    constexpr size_t TSFT_BYTES = 8;
    constexpr uint32_t HAS_TSFT = 1U << 0;
    constexpr uint32_t HAS_FLAGS = 1U << 1;
    constexpr uint32_t HAS_MORE = 1U << 31;
    const uint32_t present = Read32LittleEndian(header.data + PRESENT);
    size_t at = PRESENT;
    uint32_t words = present;
    while (words & HAS_MORE && at + 2 * PRESENT_BYTES <= header.captured)
    {
        at += PRESENT_BYTES;
        words = Read32LittleEndian(header.data + at);
    }
    at += PRESENT_BYTES;
    if (present & HAS_TSFT)
    {
        // Fields are aligned to their size.
        at = (at + TSFT_BYTES - 1) / TSFT_BYTES * TSFT_BYTES + TSFT_BYTES;
    }
    return present & HAS_FLAGS && at < header.captured ? header.data[at] : 0;
}

} // namespace

std::optional<Payload>
ReadWifi(const Rest& frame)
{
    return ReadFrame(frame, false);
}

std::optional<Payload>
ReadRadiotap(const Rest& frame)
{
    constexpr size_t LEAST_BYTES = 8;
    constexpr uint8_t HAS_PADDING = 0x20;
    constexpr uint8_t HAS_BAD_CHECKSUM = 0x40;
    if (frame.captured < LEAST_BYTES)
    {
        return std::nullopt;
    }
    const size_t headerBytes = Read16LittleEndian(frame.data + 2);
    if (frame.data[0] || headerBytes < LEAST_BYTES || headerBytes > frame.length)
    {
        throw Damage(frame.offset,
                     "a radiotap header of version " + std::to_string(frame.data[0]) + " and " +
                         std::to_string(headerBytes) + " bytes, in a frame that has " +
                         std::to_string(frame.length));
    }
    if (frame.captured < headerBytes)
    {
        return std::nullopt;
    }
    const uint8_t flags = RadiotapFlags(frame.Only(headerBytes));
    const Rest behind = frame.Behind(headerBytes);
    if (flags & HAS_BAD_CHECKSUM)
    {
        return OtherPayload(BAD_CHECKSUM, behind);
    }
    auto payload = ReadFrame(behind, flags & HAS_PADDING);
    if (payload)
    {
        payload->captureHeaderBytes = static_cast<uint32_t>(headerBytes);
    }
    return payload;
}

std::string
WifiName(uint32_t number)
{
    // Type and subtype, a digit each, IEEE 802.11-2020, table 9-1.
    static const std::map<uint32_t, const char*> names = {
        {0x00, "association request"},
        {0x01, "association response"},
        {0x02, "reassociation request"},
        {0x03, "reassociation response"},
        {0x04, "probe request"},
        {0x05, "probe response"},
        {0x06, "timing advertisement"},
        {0x08, "beacon"},
        {0x09, "ATIM"},
        {0x0a, "disassociation"},
        {0x0b, "authentication"},
        {0x0c, "deauthentication"},
        {0x0d, "action"},
        {0x0e, "action without acknowledgment"},
        {0x12, "trigger"},
        {0x13, "TACK"},
        {0x14, "beamforming report poll"},
        {0x15, "NDP announcement"},
        {0x16, "control extension"},
        {0x17, "control wrapper"},
        {0x18, "block acknowledgment request"},
        {0x19, "block acknowledgment"},
        {0x1a, "PS-Poll"},
        {0x1b, "RTS"},
        {0x1c, "CTS"},
        {0x1d, "acknowledgment"},
        {0x1e, "CF-End"},
        {0x1f, "CF-End and CF-Ack"},
        {0x24, "null data"},
        {0x25, "CF-Ack"},
        {0x26, "CF-Poll"},
        {0x27, "CF-Ack and CF-Poll"},
        {0x2c, "QoS null data"},
        {0x2e, "QoS CF-Poll"},
        {0x2f, "QoS CF-Ack and CF-Poll"},
    };
    if (number < FRAME)
    {
        return EtherTypeName(number);
    }
    switch (number)
    {
    case VERSION:
        return "802.11 of another version";
    case ENCRYPTED:
        return "802.11 encrypted data";
    case AGGREGATE:
        return "802.11 A-MSDU";
    case FRAGMENT:
        return "802.11 fragment behind the first";
    case BAD_CHECKSUM:
        return "802.11 with a wrong checksum";
    default:
        break;
    }
    const uint32_t kind = number - FRAME;
    const auto name = names.find(kind);
    if (name != names.end())
    {
        return std::string("802.11 ") + name->second;
    }
    return "802.11 type " + std::to_string(kind >> 4) + " subtype " + std::to_string(kind & 15);
}

} // namespace tcpsweep
