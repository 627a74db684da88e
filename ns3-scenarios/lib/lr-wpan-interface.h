// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_LR_WPAN_INTERFACE_H
#define TCPSWEEP_LR_WPAN_INTERFACE_H

#include "interface.h"

#include <string>

namespace tcpsweep
{

/**
 * @param label what it is called
 * @param device a device of 802.15.4, an LrWpanNetDevice, whose namespace changes with ns-3's
 * version
 * @return it. Its capture has each frame that the device sends, repeats included, or hears,
 * whomever it is for
 */
Interface LrWpanInterface(const std::string& label, ns3::Ptr<ns3::NetDevice> device);

} // namespace tcpsweep

#endif // TCPSWEEP_LR_WPAN_INTERFACE_H
