// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_PACKET_H
#define TCPSWEEP_PACKET_H

#include "capture-file.h"
#include "ends.h"
#include "link-layer.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tcpsweep
{

/// An IP packet's headers, and its frame. Absent or uncaptured fields are missing.
struct Packet
{
    Ends ends;                            //!< addresses, protocol and ports
    uint8_t ttl;                          //!< time to live, or hop limit
    uint8_t ecn;                          //!< the two ECN bits of the IP header
    std::optional<uint16_t> ipId;         //!< IPv4: the identification
    uint32_t wireBytes;                   //!< length of the frame
    uint32_t capturedBytes;               //!< the captured bytes of the frame
    std::optional<bool> retry;            //!< 802.11: whether it is a retransmission
    uint32_t ipBytes;                     //!< length of the IP packet, its header included
    std::optional<uint32_t> payloadBytes; //!< bytes after the last decoded header
    std::optional<uint32_t> seq;          //!< TCP: sequence number
    std::optional<uint32_t> ack;          //!< TCP: acknowledgement number
    std::optional<uint16_t> flags;        //!< TCP: the twelve bits of flags
    std::optional<uint16_t> window;       //!< TCP: window, not scaled
    std::optional<uint16_t> mss;          //!< TCP: maximum segment size option
    std::optional<bool> sackPermitted;    //!< TCP: whether there is the option of RFC 2018
    std::optional<uint8_t> windowScale;   //!< TCP: option of RFC 7323
    std::optional<uint32_t> tsval;        //!< TCP: timestamp of RFC 7323
    std::optional<uint32_t> tsecr;        //!< TCP: its echo
    size_t sackBlocks;                    //!< TCP: the number of SACK blocks (RFC 2018)
    std::array<uint32_t, 4> sackLeft;     //!< their left edges
    std::array<uint32_t, 4> sackRight;    //!< their right edges
    bool isCut;                           //!< whether headers were not captured completely
    bool hasAddresses;                    //!< whether IP's header could be read
};

/// The outcome of decoding a frame.
enum class Decoded
{
    PACKET,   //!< an IP packet
    OTHER,    //!< something else
    HEADLESS, //!< its link or IP header is incomplete or inconsistent
};

/// Decodes the frames of one link type.
class Decoder
{
  public:
    /**
     * @param linkType the frames' link type, as pcap numbers it
     * @throws Damage if it is unknown
     */
    explicit Decoder(uint32_t linkType);

    /**
     * @param frame a frame
     * @param[out] packet its content
     * @return the outcome
     * @throws Damage if its headers are inconsistent; then the packet has the readable fields, if
     * it has addresses
     */
    Decoded Decode(const Frame& frame, Packet& packet);

    /// @param[in,out] counts the numbers of frames with other content, by name
    void AddOthers(std::map<std::string, uint64_t>& counts) const;

  private:
    const Link* m_link;           //!< the reader of the frames' headers
    std::vector<uint8_t> m_space; //!< the last packet whose headers were compressed
    std::map<uint32_t, uint64_t>
        m_others; //!< frames with other content than IP, by the number of this content
};

} // namespace tcpsweep

#endif // TCPSWEEP_PACKET_H
