// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_SIX_LOW_PAN_H
#define TCPSWEEP_SIX_LOW_PAN_H

#include <ns3/sixlowpan-net-device.h>

namespace tcpsweep
{

/**
 * Keep the tags of packets that pass a 6LoWPAN device. A packet that ns-3 reassembles from
 * fragments has lost its packet tags, FlowTag among them, but not its byte tags. An ICMPv6 error
 * has the byte tags of the packet that it quotes, so FlowMonitor would take it for that packet's
 * arrival.
 *
 * @param device the device, whose node has IPv6
 */
void KeepTags(ns3::Ptr<ns3::SixLowPanNetDevice> device);

} // namespace tcpsweep

#endif // TCPSWEEP_SIX_LOW_PAN_H
