// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_LR_WPAN_H
#define TCPSWEEP_LR_WPAN_H

#include "network/interface.h"
#include "wireless/stations.h"

#include <ns3/lr-wpan-mac.h>
#include <ns3/lr-wpan-net-device.h>

#include <cstdint>
#include <string>

/// ns-3's 802.15.4: in this namespace since ns-3 3.42, before that in ns3 itself.
namespace ns3::lrwpan
{
}

namespace tcpsweep
{

/// ns-3's names for 802.15.4, from either namespace.
namespace lrwpan
{
using namespace ns3;
using namespace ns3::lrwpan;
} // namespace lrwpan

/// Transmit power and sensitivity of ns-3's 802.15.4 radios (LrWpanPhy, 2.4 GHz and O-QPSK), which
/// no attribute changes.
constexpr Radio LR_WPAN_RADIO{0, -106.58};

/**
 * @param label its label
 * @param device a device of 802.15.4
 * @return its interface. The capture has each frame that the device sends or receives whole,
 * whatever its destination
 */
Interface LrWpanInterface(const std::string& label, ns3::Ptr<lrwpan::LrWpanNetDevice> device);

/**
 * Number a device's random streams. Its own AssignStreams() gives backoff and reception errors the
 * same one.
 *
 * @param device a device of 802.15.4
 * @param first the number of the first stream
 * @return how many streams it has
 */
int64_t AssignStreams(ns3::Ptr<lrwpan::LrWpanNetDevice> device, int64_t first);

} // namespace tcpsweep

#endif // TCPSWEEP_LR_WPAN_H
