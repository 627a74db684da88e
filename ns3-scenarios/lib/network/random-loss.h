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

/// Losses on a link that no queue causes.
struct RandomLoss
{
    double probability; //!< of a packet or a byte, as perByte says
    bool perByte;       //!< whether it counts bytes rather than packets
    bool onData;        //!< whether the forward direction loses
    bool onAcks;        //!< whether the reverse direction loses
    uint32_t burst;     //!< packets that are lost in a row
    /// What decides for both directions; nullptr where each has a random stream of its own.
    ns3::Ptr<ns3::UniformRandomVariable> shared;

    /**
     * @param options the options in force
     * @return what they say
     * @throws UsageError
     */
    static RandomLoss FromOptions(const Options& options);

    /// @param link the link that loses packets as they arrive
    void Install(const Link& link) const;

  private:
    /**
     * @param draws what decides which packets are lost
     * @return what loses them
     */
    ns3::Ptr<ns3::ErrorModel> Model(ns3::Ptr<ns3::UniformRandomVariable> draws) const;
};

} // namespace tcpsweep

#endif // TCPSWEEP_RANDOM_LOSS_H
