// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_WIFI_INTERFACE_H
#define TCPSWEEP_WIFI_INTERFACE_H

#include "network/interface.h"

#include <ns3/wifi-net-device.h>

#include <string>

namespace tcpsweep
{

/**
 * @param label its label
 * @param device a device of 802.11
 * @return its interface. The capture is that of a monitor: each frame that the device sends,
 * repeats included, or receives whole, whatever its destination, after radiotap's header
 */
Interface WifiInterface(const std::string& label, ns3::Ptr<ns3::WifiNetDevice> device);

} // namespace tcpsweep

#endif // TCPSWEEP_WIFI_INTERFACE_H
