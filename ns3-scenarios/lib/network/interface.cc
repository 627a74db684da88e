// SPDX-License-Identifier: GPL-2.0-only
#include "network/interface.h"

#include "network/link.h"

#include <utility>

namespace tcpsweep
{

Interface::Interface(std::string name, ns3::Ptr<ns3::PointToPointNetDevice> pointToPoint)
    : Interface(std::move(name),
                pointToPoint,
                PPP_FRAMES,
                PPP_HEADER_BYTES + IP_AND_TCP_BYTES,
                [pointToPoint](FrameSink sink)
                { pointToPoint->TraceConnectWithoutContext("PromiscSniffer", sink); })
{
}

Interface::Interface(std::string name,
                     ns3::Ptr<ns3::NetDevice> anyDevice,
                     uint32_t frames,
                     uint32_t headers,
                     std::function<void(FrameSink)> connectTo)
    : label(std::move(name)),
      device(anyDevice),
      linkType(frames),
      headersBytes(headers),
      connect(std::move(connectTo))
{
}

} // namespace tcpsweep
