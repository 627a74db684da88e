// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_ANIMATION_H
#define TCPSWEEP_ANIMATION_H

#include "output/output-file.h"

#include <ns3/net-device.h>
#include <ns3/node.h>
#include <ns3/nstime.h>
#include <ns3/packet.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace tcpsweep
{

/**
 * `anim.xml`: the network and the paths of its packets, in NetAnim's format netanim-3.108.
 *
 * ns-3's netanim module is no alternative: it pulls in Wi-Fi, LTE and WiMAX, whose loading doubles
 * the start-up time of every cell, animated or not, and not every ns-3 is built with it.
 */
class Animation
{
  public:
    /// A node and its position in the animation.
    struct Place
    {
        ns3::Ptr<ns3::Node> node; //!< the node
        std::string label;        //!< the text next to it
        double x;                 //!< to the right
        double y;                 //!< downwards
    };

    /**
     * Write the network, and its packets from now on.
     *
     * @param path the file
     * @param places all nodes, their links in place
     * @throws OutputError
     */
    Animation(const std::filesystem::path& path, const std::vector<Place>& places);

    Animation(const Animation&) = delete;
    Animation& operator=(const Animation&) = delete;

    /**
     * Write the remaining lines and close the file.
     *
     * @param checksums gets its
     * @throws OutputError
     */
    void Close(Checksums& checksums);

  private:
    /// @param node a node whose links to write and follow, if that is not done yet
    void AddLinks(ns3::Ptr<ns3::Node> node);

    /**
     * @param sender the device that begins to send
     * @param receiver the device that receives
     * @param duration how long it sends
     * @param arrival how long from now until the last bit is received
     */
    void Move(ns3::Ptr<const ns3::Packet>,
              ns3::Ptr<ns3::NetDevice> sender,
              ns3::Ptr<ns3::NetDevice> receiver,
              ns3::Time duration,
              ns3::Time arrival);

    OutputFile m_output;                         //!< the file
    OutputStream m_file;                         //!< writes to it
    std::set<ns3::Ptr<ns3::Channel>> m_channels; //!< the links written so far
};

} // namespace tcpsweep

#endif // TCPSWEEP_ANIMATION_H
