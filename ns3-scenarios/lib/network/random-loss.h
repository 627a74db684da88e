// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_RANDOM_LOSS_H
#define TCPSWEEP_RANDOM_LOSS_H

#include "network/link.h"
#include "options/options.h"

#include <ns3/error-model.h>
#include <ns3/random-variable-stream.h>

#include <cstdint>

namespace tcpsweep
{

/**
 * ns-3's model begins a burst at each packet with the same probability, also during a burst. So a
 * packet survives if no burst began at it or at any of the B - 1 packets before it. If q is the
 * probability that a burst begins, 1 - loss = (1 - q)^B.
 *
 * @param loss the share of all packets to lose
 * @param burst the bursts' length B
 * @return the probability that a burst begins at a packet
 */
double BurstRate(double loss, uint32_t burst);

/// Random losses on a link, as opposed to drops at a queue.
struct RandomLoss
{
    double probability{0}; //!< probability of losing a packet, or a byte if perByte
    bool perByte{false};   //!< whether the probability is per byte, not per packet
    bool onData{true};     //!< whether the forward direction loses
    bool onAcks{false};    //!< whether the reverse direction loses
    uint32_t burst{1};     //!< packets that are lost in a row
    /// The random numbers for both directions; nullptr if each direction has its own stream.
    ns3::Ptr<ns3::UniformRandomVariable> shared;

    /**
     * @param options the options in force
     * @return their values
     * @throws UsageError
     */
    static RandomLoss FromOptions(const Options& options);

    /**
     * @param link the link that loses packets as they arrive
     * @param number its number, from 0; each link has its own random streams
     */
    void Install(const Link& link, uint32_t number) const;

  private:
    /**
     * @param draws the random numbers that decide which packets are lost
     * @return the error model
     */
    ns3::Ptr<ns3::ErrorModel> Model(ns3::Ptr<ns3::UniformRandomVariable> draws) const;
};

} // namespace tcpsweep

#endif // TCPSWEEP_RANDOM_LOSS_H
