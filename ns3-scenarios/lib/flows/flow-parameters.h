// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_FLOW_PARAMETERS_H
#define TCPSWEEP_FLOW_PARAMETERS_H

#include "flows/assignment.h"
#include "flows/programs.h"
#include "network/direction.h"
#include "network/flow-ends.h"
#include "network/graph.h"
#include "options/options.h"

#include <ns3/nstime.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tcpsweep
{

/// The attribute with the random stream of a congestion control that uses random numbers.
extern const char* const STREAM;

/// The settings of a flow's sockets that differ from the simulation's; nothing for equal ones.
struct SocketSettings
{
    std::optional<uint32_t> bufferBytes;        //!< size of both ends' buffers
    std::optional<uint32_t> delayedAcks;        //!< segments of which one is acknowledged
    std::optional<ns3::Time> delayedAckTimeout; //!< the timeout of delayed ACKs
};

/// The parameters of one flow.
struct FlowParameters
{
    Direction direction{Direction::FORWARD}; //!< from which side to which its data go
    Assigned variant;          //!< congestion control; nothing if the flow is left out
    bool hasOwnStream{false};  //!< whether its congestion control draws, and from no stream that
                               //!< the command line gives
    AccessLink senderAccess;   //!< the sender's access link
    AccessLink receiverAccess; //!< the receiver's access link
    uint64_t bytes{0};         //!< bytes that it sends; 0 for no limit
    double packetRate{0};      //!< packets offered per second; 0 for as fast as TCP allows
    Programs programs;         //!< the programs that send and receive its data
    ns3::Time start;           //!< when it joins, without jitter
    ns3::Time stop;            //!< when it leaves; zero for never
    ns3::Time baseRtt;         //!< round trip through empty queues, propagation only
    std::string group;         //!< the name of its group of flows; empty if it has none
    std::string from;          //!< the name of its sender, in a network that is described
    std::string to;            //!< the name of its receiver
    Route route;               //!< the way of its data, over the links of the parameters
    SocketSettings socket;     //!< the settings of its own sockets
    bool hasOwnRoute{false};   //!< whether its route is given, instead of the shortest
    uint32_t segmentBytes{0};  //!< payload of its full segments
};

/**
 * @param options the options
 * @param delay the bottleneck's one-way delay
 * @param accessLinks access links on a flow's path: none, the sender's, or both
 * @return the flows, the forward ones first
 */
std::vector<FlowParameters>
ReadFlows(const Options& options, ns3::Time delay, uint32_t accessLinks);

/**
 * Read the properties of flows that do not depend on their network: bytes, rate, start, stop.
 *
 * @param options the options of one flow, or of several, which take listed values in turn
 * @param number the flow's number among them
 * @param variant its variant
 * @return the flow, still without its ends
 * @throws UsageError
 */
FlowParameters ReadFlow(const Options& options, uint64_t number, const Assigned& variant);

/**
 * @param options the options
 * @return whether they give the flows different values
 */
bool FlowsDiffer(const Options& options);

} // namespace tcpsweep

#endif // TCPSWEEP_FLOW_PARAMETERS_H
