// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_INTERFACE_H
#define TCPSWEEP_INTERFACE_H

#include <ns3/point-to-point-net-device.h>

#include <string>

namespace tcpsweep
{

/// A device under the name that people know it by.
struct Interface
{
    std::string label;                           //!< such as bottleneck-left; names its files
    ns3::Ptr<ns3::PointToPointNetDevice> device; //!< the device
};

} // namespace tcpsweep

#endif // TCPSWEEP_INTERFACE_H
