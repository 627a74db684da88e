// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_WAY_H
#define TCPSWEEP_WAY_H

#include "network/link.h"

#include <ns3/point-to-point-net-device.h>

#include <cstdint>

namespace tcpsweep
{

/// One direction of a link.
struct Way
{
    ns3::Ptr<ns3::PointToPointNetDevice> sender;   //!< the device that its packets leave
    ns3::Ptr<ns3::PointToPointNetDevice> receiver; //!< the device that they come to
    uint32_t number; //!< 2 × the link's number, + 1 for the way back; keeps its draws apart
};

/**
 * @param link a link
 * @param number the link's number
 * @return its direction from left to right
 */
inline Way
Forth(const Link& link, uint32_t number)
{
    return {link.left, link.right, 2 * number};
}

/**
 * @param link a link
 * @param number the link's number
 * @return its direction from right to left
 */
inline Way
Back(const Link& link, uint32_t number)
{
    return {link.right, link.left, 2 * number + 1};
}

} // namespace tcpsweep

#endif // TCPSWEEP_WAY_H
