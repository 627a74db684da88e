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
    /// Begin an epoch of ACKs.
    void Begin();

    /**
     * @param acked bytes that an ACK reports
     * @param isRoundStart whether it begins a round
     * @param bandwidth the rate at which bytes should arrive
     * @param window the present window
     */
    void Receive(uint32_t acked, bool isRoundStart, ns3::DataRate bandwidth, uint32_t window);

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
