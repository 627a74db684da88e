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
#include <vector>

namespace tcpsweep
{

/// Everything that determines a simulation besides ns-3's attributes, checked, in ns-3's types.
struct ScenarioParameters
{
    Ip ip;                             //!< what the nodes speak
    std::vector<FlowParameters> flows; //!< the flows
    ns3::DataRate bandwidth;           //!< the bottleneck's rate
    ns3::Time delay;                   //!< its one-way delay
    RandomLoss loss;                   //!< on the bottleneck link
    LinkStep step;                     //!< of the bottleneck link
    CbrParameters cbr;                 //!< flows beside TCP's
    uint32_t segmentBytes;             //!< payload of a full segment
    uint32_t wirePacketBytes;          //!< what a full segment has on the wire
    double bdpBytes;                   //!< bottleneck rate × the largest base RTT
    Buffer buffer;                     //!< of both directions of the bottleneck
    uint32_t socketBufferBytes;        //!< size of each socket's buffers
    ns3::Time startStagger;            //!< between the starts of two flows
    ns3::Time startJitter;             //!< the longest that a flow starts later
    ns3::Time packetJitter;            //!< the longest that a packet leaves a sender later
    ns3::Time duration;                //!< simulated time

    /**
     * @param options the options in force, ns-3's attributes included
     * @param accessLinks how many a flow has on its way
     * @param ip what the nodes speak
     * @return what they say
     * @throws UsageError
     */
    static ScenarioParameters FromOptions(const Options& options, uint32_t accessLinks, Ip ip);

    /// Set ns-3's attributes that the parameters stand for.
    void SetAttributes() const;
};

} // namespace tcpsweep

#endif // TCPSWEEP_SCENARIO_PARAMETERS_H
