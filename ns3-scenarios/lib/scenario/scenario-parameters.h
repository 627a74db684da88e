// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_SCENARIO_PARAMETERS_H
#define TCPSWEEP_SCENARIO_PARAMETERS_H

#include "flows/cross-traffic.h"
#include "flows/flow-parameters.h"
#include "network/buffer.h"
#include "network/internet.h"
#include "network/link-step.h"
#include "network/random-loss.h"
#include "options/options.h"

#include <ns3/data-rate.h>
#include <ns3/nstime.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace tcpsweep
{

/// Everything that determines a simulation besides ns-3's attributes, checked, in ns-3's types.
struct ScenarioParameters
{
    Ip ip;                             //!< the version of IP that the nodes speak
    std::vector<FlowParameters> flows; //!< the flows
    ns3::DataRate bandwidth;           //!< the bottleneck's rate
    ns3::Time delay;                   //!< its one-way delay
    RandomLoss loss;                   //!< random losses on the bottleneck link
    LinkStep step;                     //!< change of the bottleneck link
    CbrParameters cbr;                 //!< UDP flows of a constant bit rate
    uint32_t segmentBytes;             //!< payload of a full segment
    uint32_t wirePacketBytes;          //!< bytes of a full segment on the wire
    double bdpBytes;                   //!< bottleneck rate × the largest base RTT
    Buffer buffer;                     //!< buffer of the bottleneck in both directions
    uint32_t socketBufferBytes;        //!< size of each socket's buffers
    ns3::Time startStagger;            //!< time between the starts of two flows
    ns3::Time startJitter;             //!< the longest random delay of a flow's start
    ns3::Time packetJitter;            //!< the longest random delay of a packet at its sender
    ns3::Time duration;                //!< simulated time
    /// the most that a flow is paced at, where ns-3's own limit would be one
    std::optional<ns3::DataRate> maxPacingRate;

    /**
     * @param options the options in force, ns-3's attributes included
     * @param accessLinks access links on a flow's path
     * @param ip the version of IP that the nodes speak
     * @return their values
     * @throws UsageError
     */
    static ScenarioParameters FromOptions(const Options& options, uint32_t accessLinks, Ip ip);

    /// Set the attributes of ns-3 that the parameters determine.
    void SetAttributes() const;
};

} // namespace tcpsweep

#endif // TCPSWEEP_SCENARIO_PARAMETERS_H
