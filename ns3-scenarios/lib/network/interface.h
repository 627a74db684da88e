// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_INTERFACE_H
#define TCPSWEEP_INTERFACE_H

#include <ns3/callback.h>
#include <ns3/net-device.h>
#include <ns3/packet.h>
#include <ns3/point-to-point-net-device.h>

#include <cstdint>
#include <functional>
#include <string>

namespace tcpsweep
{

/// Receives frames in the form of a capture.
using FrameSink = ns3::Callback<void, ns3::Ptr<const ns3::Packet>>;

// Link types of frames, from pcap's registry. ns-3.49 deprecates its older names for them.
constexpr uint32_t PPP_FRAMES = 9;
constexpr uint32_t RADIOTAP_FRAMES = 127;
constexpr uint32_t IEEE_802_15_4_FRAMES = 195;

/// The longest headers of IPv4 and TCP, 60 bytes each; IPv6's header is shorter.
constexpr uint32_t IP_AND_TCP_BYTES = 60 + 60;

/// A device with its label and a function that captures its frames.
struct Interface
{
    /**
     * @param name its label
     * @param pointToPoint a device of a point-to-point link
     */
    Interface(std::string name, ns3::Ptr<ns3::PointToPointNetDevice> pointToPoint);

    /**
     * @param name its label
     * @param anyDevice a device
     * @param frames link type of its frames, a number of pcap's registry
     * @param headers size of their longest headers, including TCP
     * @param connectTo connects a sink to all frames that the device sends or hears
     */
    Interface(std::string name,
              ns3::Ptr<ns3::NetDevice> anyDevice,
              uint32_t frames,
              uint32_t headers,
              std::function<void(FrameSink)> connectTo);

    std::string label;                      //!< such as bottleneck-left; names its files
    ns3::Ptr<ns3::NetDevice> device;        //!< the device
    uint32_t linkType;                      //!< its frames' link type, a number of pcap's registry
    uint32_t headersBytes;                  //!< size of their longest headers, TCP included
    std::function<void(FrameSink)> connect; //!< connects a sink to all frames
};

} // namespace tcpsweep

#endif // TCPSWEEP_INTERFACE_H
