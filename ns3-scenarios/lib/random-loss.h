// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_RANDOM_LOSS_H
#define TCPSWEEP_RANDOM_LOSS_H

#include "options.h"

#include <ns3/point-to-point-net-device.h>

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

    /**
     * @param options the options in force
     * @return what they say
     * @throws UsageError
     */
    static RandomLoss FromOptions(const Options& options);

    /**
     * Lose packets that arrive at a device.
     *
     * @param device the device
     * @param stream the number of the random stream that decides which
     */
    void Install(ns3::Ptr<ns3::PointToPointNetDevice> device, int64_t stream) const;
};

} // namespace tcpsweep

#endif // TCPSWEEP_RANDOM_LOSS_H
