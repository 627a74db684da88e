// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_DUMBBELL_NETWORK_H
#define TCPSWEEP_DUMBBELL_NETWORK_H

#include "dumbbell-parameters.h"
#include "interface.h"
#include "link.h"
#include "subnet-routing.h"

#include <ns3/node-container.h>
#include <ns3/queue-disc.h>

#include <vector>

/**
 * @file
 * Flows from senders of their own to receivers of their own over one link that they share. Reverse
 * flows have their senders on the right and their receivers on the left:
 *
 *     sender 0 ──┐                                      ┌── receiver 0
 *                ├── left router ══════ right router ───┤
 *     sender n ──┘            bottleneck                └── receiver n
 */

namespace tcpsweep
{

/// The nodes and the link that the flows share.
struct DumbbellNetwork
{
    ns3::NodeContainer routers;    //!< the left one, the right one
    ns3::NodeContainer senders;    //!< one per flow
    ns3::NodeContainer receivers;  //!< one per flow
    Link bottleneck;               //!< from the left router to the right one
    ns3::Ptr<ns3::QueueDisc> disc; //!< the left router's disc there; nullptr where it has none
    ns3::Ptr<ns3::QueueDisc> reverseDisc; //!< the right router's
    ns3::Ptr<SubnetRouting> leftRouting;  //!< the left router's
    ns3::Ptr<SubnetRouting> rightRouting; //!< the right router's
    ns3::NodeContainer cbrSenders;        //!< one per flow of a constant bit rate
    ns3::NodeContainer cbrReceivers;      //!< likewise
    std::vector<Interface> interfaces;    //!< all of them, the bottleneck's first
};

/**
 * @param p the parameters
 * @return the network, ready for flows
 */
DumbbellNetwork BuildNetwork(const DumbbellParameters& p);

} // namespace tcpsweep

#endif // TCPSWEEP_DUMBBELL_NETWORK_H
