// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_SIX_LOW_PAN_H
#define TCPSWEEP_SIX_LOW_PAN_H

#include <ns3/sixlowpan-net-device.h>

namespace tcpsweep
{

/**
 * Let packets have the same tags behind a device of 6LoWPAN as before it. A packet that ns-3 puts
 * together from fragments has lost its packet tags, FlowTag among them, but not its byte tags; and
 * an ICMPv6 error has the byte tags of the packet that it quotes, so that FlowMonitor takes it for
 * that packet's arrival.
 *
 * @param device the device, whose node has IPv6
 */
void KeepTags(ns3::Ptr<ns3::SixLowPanNetDevice> device);

} // namespace tcpsweep

#endif // TCPSWEEP_SIX_LOW_PAN_H
