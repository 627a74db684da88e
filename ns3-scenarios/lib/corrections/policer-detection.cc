// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/policer-detection.h"

#include <ns3/simulator.h>

#include <algorithm>

namespace tcpsweep
{

namespace
{

// The constants of Linux' tcp_bbr.c.
constexpr uint32_t LEAST_ROUNDS = 4;                   //!< of an interval
constexpr uint32_t LIMITED_ROUNDS = 48;                //!< for which the rate of a policer holds
constexpr double MANY_LOSSES = 50.0 / 256;             //!< lost bytes over delivered ones
constexpr double SAME_SHARE = 1.0 / 8;                 //!< by which equal rates differ at most
constexpr uint64_t SAME_BITRATE = 4000;                //!< or by this, in bit/s
const ns3::Time SHORT_INTERVAL = ns3::MilliSeconds(1); //!< too short for a rate

} // namespace

bool
PolicerDetection::IsLimited() const
{
    return m_isLimited;
}

ns3::DataRate
PolicerDetection::Rate() const
{
    return m_rate;
}

void
PolicerDetection::BeginInterval(uint64_t delivered, uint64_t lost)
{
    m_begin = ns3::Simulator::Now();
    m_firstDelivered = delivered;
    m_firstLost = lost;
    m_rounds = 0;
}

void
PolicerDetection::Reset(uint64_t delivered, uint64_t lost)
{
    m_rate = ns3::DataRate();
    m_isLimited = false;
    m_isSampling = false;
    BeginInterval(delivered, lost);
}

bool
PolicerDetection::Receive(const Ack& ack)
{
    if (m_isLimited)
    {
        if (!ack.isCycling || !ack.isRoundStart || ++m_rounds < LIMITED_ROUNDS)
        {
            return false;
        }
        Reset(ack.delivered, ack.lost);
        return true;
    }
    if (!m_isSampling)
    {
        if (!ack.hasLoss)
        {
            return false;
        }
        BeginInterval(ack.delivered, ack.lost);
        m_isSampling = true;
    }
    if (ack.isApplicationLimited)
    {
        Reset(ack.delivered, ack.lost);
        return false;
    }
    m_rounds += ack.isRoundStart ? 1 : 0;
    if (m_rounds > 4 * LEAST_ROUNDS)
    {
        Reset(ack.delivered, ack.lost);
        return false;
    }
    const auto delivered = static_cast<double>(ack.delivered - m_firstDelivered);
    const auto lost = static_cast<double>(ack.lost - m_firstLost);
    const auto time = ns3::Simulator::Now() - m_begin;
    if (m_rounds >= LEAST_ROUNDS && ack.hasLoss && delivered > 0 &&
        lost >= MANY_LOSSES * delivered && time >= SHORT_INTERVAL)
    {
        EndInterval(ns3::DataRate(static_cast<uint64_t>(8 * delivered / time.GetSeconds())), ack);
    }
    return false;
}

void
PolicerDetection::EndInterval(ns3::DataRate rate, const Ack& ack)
{
    const auto now = rate.GetBitRate();
    const auto before = m_rate.GetBitRate();
    const auto difference = std::max(now, before) - std::min(now, before);
    if (before > 0 &&
        (static_cast<double>(difference) <= SAME_SHARE * static_cast<double>(before) ||
         difference <= SAME_BITRATE))
    {
        m_rate = ns3::DataRate((now + before) / 2);
        m_isLimited = true;
        m_rounds = 0;
        return;
    }
    m_rate = rate;
    BeginInterval(ack.delivered, ack.lost);
}

} // namespace tcpsweep
