// SPDX-License-Identifier: GPL-2.0-only
#include "wireless/lr-wpan.h"

#include <ns3/lr-wpan-csmaca.h>
#include <ns3/lr-wpan-phy.h>

namespace tcpsweep
{

namespace
{

/// 802.15.4's header with short addresses and both PAN ids; 6LoWPAN's headers for mesh, broadcast
/// and first fragment, and IPHC's with both addresses in full.
constexpr uint32_t LR_WPAN_HEADER_BYTES = 11 + (5 + 2 + 4) + (3 + 32 + 6);

} // namespace

Interface
LrWpanInterface(const std::string& label, ns3::Ptr<lrwpan::LrWpanNetDevice> device)
{
    return {label,
            device,
            IEEE_802_15_4_FRAMES,
            LR_WPAN_HEADER_BYTES + IP_AND_TCP_BYTES,
            [mac = device->GetMac()](FrameSink sink)
            { mac->TraceConnectWithoutContext("PromiscSniffer", sink); }};
}

int64_t
AssignStreams(ns3::Ptr<lrwpan::LrWpanNetDevice> device, int64_t first)
{
    const int64_t ofBackoff = device->GetCsmaCa()->AssignStreams(first);
    return ofBackoff + device->GetPhy()->AssignStreams(first + ofBackoff);
}

} // namespace tcpsweep
