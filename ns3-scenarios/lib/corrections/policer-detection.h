// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_POLICER_DETECTION_H
#define TCPSWEEP_POLICER_DETECTION_H

#include <ns3/data-rate.h>
#include <ns3/nstime.h>

#include <cstdint>

namespace tcpsweep
{

/// Finds the rate to which a token bucket limits a flow of BBR: two intervals with many losses and
/// the same rate (long-term bandwidth, bbr_lt_bw_sampling() in Linux' tcp_bbr.c).
class PolicerDetection
{
  public:
    /// What an ACK says.
    struct Ack
    {
        uint64_t delivered;        //!< bytes delivered until now
        uint64_t lost;             //!< bytes considered lost until now
        bool hasLoss;              //!< whether it shows that some are lost
        bool isApplicationLimited; //!< whether the application sends less than it could
        bool isRoundStart;         //!< whether the ACK begins a round
        bool isCycling;            //!< whether BBR cycles through its gains
    };

    /**
     * @param ack an ACK
     * @return whether BBR has to begin its cycle of gains anew
     */
    bool Receive(const Ack& ack);

    /**
     * Forget all.
     *
     * @param delivered bytes delivered until now
     * @param lost bytes considered lost until now
     */
    void Reset(uint64_t delivered, uint64_t lost);

    /// @return whether the rate of a policer holds
    bool IsLimited() const;

    /// @return that rate
    ns3::DataRate Rate() const;

  private:
    /**
     * Begin an interval.
     *
     * @param delivered bytes delivered until now
     * @param lost bytes considered lost until now
     */
    void BeginInterval(uint64_t delivered, uint64_t lost);
    /// @param rate the rate of an interval with many losses, which ends with an ACK
    void EndInterval(ns3::DataRate rate, const Ack& ack);

    ns3::DataRate m_rate;         //!< the rate of the last interval, or of the policer
    bool m_isLimited{false};      //!< whether it is the policer's
    bool m_isSampling{false};     //!< whether an interval has begun
    uint32_t m_rounds{0};         //!< rounds of the interval
    uint64_t m_firstDelivered{0}; //!< bytes delivered when it began
    uint64_t m_firstLost{0};      //!< bytes lost when it began
    ns3::Time m_begin;            //!< when it began
};

} // namespace tcpsweep

#endif // TCPSWEEP_POLICER_DETECTION_H
