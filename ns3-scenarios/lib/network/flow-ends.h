// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_FLOW_ENDS_H
#define TCPSWEEP_FLOW_ENDS_H

#include "network/direction.h"
#include "output/json.h"

#include <ns3/data-rate.h>
#include <ns3/node.h>
#include <ns3/nstime.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tcpsweep
{

/// A link between a host and the bottleneck.
struct AccessLink
{
    ns3::DataRate bandwidth; //!< its rate
    ns3::Time delay;         //!< its one-way delay
};

/// A step of a flow's path.
struct Step
{
    std::string link;    //!< the link's name
    Direction direction; //!< the direction in which its data cross the link
    AccessLink is;       //!< the link's rate in that direction, and its delay
    ns3::Time jitter{};  //!< the longest random delay of a packet there
    bool varies{false};  //!< whether it changes over time, or loses packets
};

/// The least delay of a step at any time.
struct LeastStep
{
    ns3::DataRate bandwidth; //!< the highest rate that the link has in that direction
    ns3::Time delay;         //!< its least delay
    ns3::Time back;          //!< the least delay of the other direction
};

/// The end points of a flow.
struct FlowEnds
{
    ns3::Ptr<ns3::Node> sender;    //!< the sending node
    ns3::Ptr<ns3::Node> receiver;  //!< the receiving node
    std::string senderInterface;   //!< label of the sender's interface
    std::string receiverInterface; //!< label of the receiver's interface
    std::vector<Step> path = {};   //!< the links that its data cross; of wireless hosts, those
                                   //!< with wires
    /// Chooses its path for its sender's and its receiver's port, if the path depends on them, and
    /// installs it in the routers; empty for the shortest path.
    std::function<void(FlowEnds&, uint16_t, uint16_t)> settle = {};

    /// @param json the writer, which receives members of an object
    void Write(JsonWriter& json) const;
};

} // namespace tcpsweep

#endif // TCPSWEEP_FLOW_ENDS_H
