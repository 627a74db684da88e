// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_FLOW_PARAMETERS_H
#define TCPSWEEP_FLOW_PARAMETERS_H

#include "network/direction.h"
#include "options/options.h"

#include <ns3/data-rate.h>
#include <ns3/nstime.h>
#include <ns3/type-id.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tcpsweep
{

/// The attribute of a congestion control that draws, the number of its random stream.
extern const char* const STREAM;

/// The parameters of one flow.
struct FlowParameters
{
    Direction direction{Direction::FORWARD}; //!< from which side to which its data go
    ns3::TypeId variant;                     //!< congestion control
    bool hasOwnStream{false};      //!< whether its congestion control draws, and from no stream
                                   //!< that the command line gives
    ns3::DataRate accessBandwidth; //!< rate of its access links
    ns3::Time accessDelay;         //!< one-way delay of each access link
    uint64_t bytes{0};             //!< bytes that it sends; 0 for no limit
    double packetRate{0};          //!< packets offered per second; 0 for as fast as TCP allows
    ns3::Time start;               //!< when it joins, stagger and jitter not counted
    ns3::Time stop;                //!< when it leaves; zero for never
    ns3::Time baseRtt;             //!< round trip through empty queues, propagation only
};

/**
 * @param text names of congestion controls with + between
 * @return their types
 */
std::vector<ns3::TypeId> ParseVariants(const std::string& text);

/**
 * @param options the options
 * @param delay the bottleneck's one-way delay
 * @param accessLinks access links on a flow's path
 * @return the flows, the forward ones first
 */
std::vector<FlowParameters>
ReadFlows(const Options& options, ns3::Time delay, uint32_t accessLinks);

} // namespace tcpsweep

#endif // TCPSWEEP_FLOW_PARAMETERS_H
