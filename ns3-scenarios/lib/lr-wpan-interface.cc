// SPDX-License-Identifier: GPL-2.0-only
#include "lr-wpan-interface.h"

#include <ns3/pointer.h>
#include <ns3/trace-helper.h>

namespace tcpsweep
{

namespace
{

/// The longest frame, which is no longer than the longest headers may be.
constexpr uint32_t LONGEST_FRAME_BYTES = 127;

} // namespace

Interface
LrWpanInterface(const std::string& label, ns3::Ptr<ns3::NetDevice> device)
{
    const auto connect = [device](FrameSink sink)
    {
        ns3::PointerValue mac;
        device->GetAttribute("Mac", mac);
        mac.GetObject()->TraceConnectWithoutContext("PromiscSniffer", sink);
    };
    return {label, device, ns3::PcapHelper::DLT_IEEE802_15_4, LONGEST_FRAME_BYTES, connect};
}

} // namespace tcpsweep
