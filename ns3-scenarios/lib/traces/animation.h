// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_ANIMATION_H
#define TCPSWEEP_ANIMATION_H

#include <ns3/net-device.h>
#include <ns3/node.h>
#include <ns3/nstime.h>
#include <ns3/packet.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace tcpsweep
{

/**
 * `anim.xml`: the network and its packets' ways for NetAnim, in its format netanim-3.108.
 *
 * ns-3's netanim module would write it too, but drags in Wi-Fi, LTE and WiMAX, whose loading
 * doubles the start of every cell whether it is animated or not; and not every ns-3 is built with
 * it.
 */
class Animation
{
  public:
    /// A node and where it is drawn.
    struct Place
    {
        ns3::Ptr<ns3::Node> node; //!< the node
        std::string label;        //!< what is written beside it
        double x;                 //!< to the right
        double y;                 //!< downwards
    };

    /**
     * Write the network, and its packets from now on.
     *
     * @param path the file
     * @param places the nodes, all of them, with their links in place
     * @throws OutputError
     */
    Animation(const std::filesystem::path& path, const std::vector<Place>& places);

    Animation(const Animation&) = delete;
    Animation& operator=(const Animation&) = delete;

    /**
     * Write what is left and close the file.
     *
     * @throws OutputError
     */
    void Close();

  private:
    /// @param node a node whose links are to be written, and followed, where that was not done yet
    void AddLinks(ns3::Ptr<ns3::Node> node);

    /**
     * @param sender the device that begins to send
     * @param receiver the device that receives
     * @param duration how long it sends
     * @param arrival when the last bit is received, from now
     */
    void Move(ns3::Ptr<const ns3::Packet>,
              ns3::Ptr<ns3::NetDevice> sender,
              ns3::Ptr<ns3::NetDevice> receiver,
              ns3::Time duration,
              ns3::Time arrival);

    std::filesystem::path m_path;                //!< the file's path
    std::ofstream m_file;                        //!< the open file
    std::set<ns3::Ptr<ns3::Channel>> m_channels; //!< the links that are written
};

} // namespace tcpsweep

#endif // TCPSWEEP_ANIMATION_H
