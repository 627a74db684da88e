// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_ENDS_H
#define TCPSWEEP_ENDS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace tcpsweep
{

/// An IPv4 or IPv6 address.
struct Address
{
    std::array<uint8_t, 16> bytes{}; //!< network byte order; of IPv4 the first four
    bool isIpv6{false};              //!< which of the two

    bool operator==(const Address&) const = default;

    /// @param other another address; IPv4 comes first
    bool
    operator<(const Address& other) const
    {
        return std::tie(isIpv6, bytes) < std::tie(other.isIpv6, other.bytes);
    }

    /// @return as RFC 5952 writes it, or with dots
    std::string Text() const;

    /**
     * @param text an address
     * @return it
     * @throws std::invalid_argument
     */
    static Address Parse(const std::string& text);
};

/// The end points of a packet.
struct Ends
{
    Address source;              //!< source address
    Address destination;         //!< destination address
    uint16_t sourcePort{0};      //!< source port, 0 where there is none
    uint16_t destinationPort{0}; //!< destination port
    uint8_t protocol{0};         //!< the transport protocol, a number of IANA's
    bool hasPorts{false};        //!< whether the ports are known

    bool operator==(const Ends&) const = default;
};

/// The flow of a sweep that a packet belongs to.
struct Membership
{
    int32_t flow{-1};  //!< the flow's number, -1 for none
    bool isAck{false}; //!< whether it goes to the flow's sender
};

/// A sweep's flows by their ends.
class Flows
{
  public:
    /**
     * @param number the flow's number
     * @param ends of its data packets; without a protocol and ports, all between these addresses
     * @throws std::invalid_argument where another flow has the same
     */
    void Add(int32_t number, const Ends& ends);

    /**
     * @param ends a packet's
     * @return its flow; a flow with these ports comes before a flow with any ports
     */
    Membership Find(const Ends& ends) const;

  private:
    /// Ends in an order.
    using Key = std::tuple<Address, Address, uint16_t, uint16_t, uint8_t>;

    std::map<Key, Membership> m_flows; //!< both directions
};

/**
 * Numbers the addresses of a block of packets and finds their flows. It caches the ends of recent
 * packets in a table of fixed size, so that a file with many ends takes time but no memory.
 */
class EndsIndex
{
  public:
    /// A packet's ends, as far as the table of packets needs them.
    struct Entry
    {
        Ends ends;                   //!< whose entry it is
        uint64_t block{0};           //!< the number of its block; 0 for no block
        uint32_t sourceCode{0};      //!< the source address's number
        uint32_t destinationCode{0}; //!< the destination address's number
        Membership membership;       //!< the flow
    };

    /// @param flows the flows to find
    explicit EndsIndex(Flows flows);

    /// Forget the addresses, because another block begins.
    void BeginBlock();

    /**
     * @param ends a packet's
     * @return their entry, valid until the next call
     */
    const Entry& Look(const Ends& ends);

    /// @return the block's addresses as texts, by their numbers
    std::vector<std::string> Addresses() const;

  private:
    /**
     * @param address an address
     * @return its number in this block
     */
    uint32_t Code(const Address& address);

    Flows m_flows; //!< the flows
    std::vector<Entry>
        m_entries; //!< the last packets' ends, each at the place that a hash of it says
    std::map<Address, uint32_t> m_codes; //!< this block's addresses
    uint64_t m_block{0};                 //!< this block's number
};

} // namespace tcpsweep

#endif // TCPSWEEP_ENDS_H
