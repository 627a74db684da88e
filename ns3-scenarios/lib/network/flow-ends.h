// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_FLOW_ENDS_H
#define TCPSWEEP_FLOW_ENDS_H

#include "output/json.h"

#include <ns3/data-rate.h>
#include <ns3/node.h>
#include <ns3/nstime.h>

#include <optional>
#include <string>

namespace tcpsweep
{

/// A link between a host and the bottleneck.
struct AccessLink
{
    ns3::DataRate bandwidth; //!< its rate
    ns3::Time delay;         //!< its one-way delay
};

/// Where a flow begins and where it ends. A host without an access link is at the bottleneck
/// itself.
struct FlowEnds
{
    ns3::Ptr<ns3::Node> sender;               //!< the sending node
    ns3::Ptr<ns3::Node> receiver;             //!< the receiving node
    std::string senderInterface;              //!< label of the sender's interface
    std::string receiverInterface;            //!< label of the receiver's interface
    std::optional<AccessLink> senderAccess;   //!< the sender's access link
    std::optional<AccessLink> receiverAccess; //!< the receiver's access link

    /// @param json where they go, as members of an object
    void Write(JsonWriter& json) const;
};

} // namespace tcpsweep

#endif // TCPSWEEP_FLOW_ENDS_H
