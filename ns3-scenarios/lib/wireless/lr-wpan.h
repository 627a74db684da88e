// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_LR_WPAN_H
#define TCPSWEEP_LR_WPAN_H

#include "network/interface.h"
#include "wireless/stations.h"

#include <ns3/lr-wpan-mac.h>
#include <ns3/lr-wpan-net-device.h>

#include <string>

/// ns-3's 802.15.4, in this namespace since ns-3 3.42, before in ns3 itself.
namespace ns3::lrwpan
{
}

namespace tcpsweep
{

/// ns-3's names of 802.15.4, wherever they are.
namespace lrwpan
{
using namespace ns3;
using namespace ns3::lrwpan;
} // namespace lrwpan

/// How strong ns-3's radios of 802.15.4 send, and what they receive, which no attribute changes:
/// LrWpanPhy, 2.4 GHz and O-QPSK.
constexpr Radio LR_WPAN_RADIO{0, -106.58};

/**
 * @param label what it is called
 * @param device a device of 802.15.4
 * @return it. Its capture has each frame that the device sends, or receives whole, whomever it is
 * for
 */
Interface LrWpanInterface(const std::string& label, ns3::Ptr<lrwpan::LrWpanNetDevice> device);

} // namespace tcpsweep

#endif // TCPSWEEP_LR_WPAN_H
