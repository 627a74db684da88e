// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_ACK_AGGREGATION_H
#define TCPSWEEP_ACK_AGGREGATION_H

#include <ns3/data-rate.h>
#include <ns3/nstime.h>

#include <array>
#include <cstdint>

namespace tcpsweep
{

/**
 * @param rate a rate
 * @param time a time
 * @return the bytes sent in this time
 */
double BytesIn(ns3::DataRate rate, ns3::Time time);

/// Estimates how many bytes arrive in a bunch, of the last five to ten rounds
/// (bbr_update_ack_aggregation() in Linux' tcp_bbr.c).
class AckAggregation
{
  public:
    /// An ACK and its connection.
    struct Ack
    {
        uint32_t acked;          //!< bytes that it reports
        bool isRoundStart;       //!< whether it begins a round
        ns3::DataRate bandwidth; //!< the rate at which bytes should arrive
        uint32_t window;         //!< the present window, in bytes
        uint32_t segment;        //!< the size of segments, in bytes
    };

    /// Begin an epoch of ACKs.
    void Begin();

    /// @param ack an ACK
    void Receive(const Ack& ack);

    /// @return the most bytes that arrived in a bunch, beyond what was expected
    uint32_t Most() const;

  private:
    std::array<uint32_t, 2> m_extra{}; //!< bytes that arrived in a bunch, of two windows of rounds
    uint32_t m_index{0};               //!< index of the present one
    uint32_t m_rounds{0};              //!< its age in rounds
    ns3::Time m_begin;                 //!< when the present epoch of ACKs began
    uint64_t m_acked{0};               //!< bytes that arrived in it
};

} // namespace tcpsweep

#endif // TCPSWEEP_ACK_AGGREGATION_H
