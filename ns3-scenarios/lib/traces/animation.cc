// SPDX-License-Identifier: GPL-2.0-only
#include "traces/animation.h"

#include <ns3/channel.h>
#include <ns3/point-to-point-channel.h>
#include <ns3/point-to-point-net-device.h>
#include <ns3/simulator.h>

namespace tcpsweep
{

Animation::Animation(const std::filesystem::path& path, const std::vector<Place>& places)
    : m_output(path),
      m_file(m_output)
{
    m_file.setf(std::ios::fixed);
    m_file.precision(9);
    m_file << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
              "<anim ver=\"netanim-3.108\" filetype=\"animation\">\n";
    for (const auto& place : places)
    {
        m_file << "<node id=\"" << place.node->GetId() << "\" sysId=\"0\" locX=\"" << place.x
               << "\" locY=\"" << place.y << "\" />\n";
    }
    for (const auto& place : places)
    {
        m_file << "<nu p=\"d\" t=\"0\" id=\"" << place.node->GetId() << "\" descr=\"" << place.label
               << "\" />\n";
    }
    for (const auto& place : places)
    {
        AddLinks(place.node);
    }
}

void
Animation::AddLinks(ns3::Ptr<ns3::Node> node)
{
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        const auto channel =
            ns3::DynamicCast<ns3::PointToPointChannel>(node->GetDevice(i)->GetChannel());
        // The loopback has none, and each link is met at both its ends.
        if (channel && m_channels.insert(channel).second)
        {
            m_file << "<link fromId=\"" << channel->GetDevice(0)->GetNode()->GetId() << "\" toId=\""
                   << channel->GetDevice(1)->GetNode()->GetId()
                   << "\" fd=\"\" td=\"\" ld=\"\" />\n";
            channel->TraceConnectWithoutContext("TxRxPointToPoint",
                                                ns3::MakeCallback(&Animation::Move, this));
        }
    }
}

void
Animation::Move(ns3::Ptr<const ns3::Packet>,
                ns3::Ptr<ns3::NetDevice> sender,
                ns3::Ptr<ns3::NetDevice> receiver,
                ns3::Time duration,
                ns3::Time arrival)
{
    const ns3::Time now = ns3::Simulator::Now();
    m_file << "<p fId=\"" << sender->GetNode()->GetId() << "\" fbTx=\"" << now.GetSeconds()
           << "\" lbTx=\"" << (now + duration).GetSeconds() << "\" tId=\""
           << receiver->GetNode()->GetId() << "\" fbRx=\""
           << (now + arrival - duration).GetSeconds() << "\" lbRx=\""
           << (now + arrival).GetSeconds() << "\" />\n";
}

void
Animation::Close(Checksums& checksums)
{
    m_file << "</anim>\n";
    m_output.Close();
    checksums.Add(m_output);
}

} // namespace tcpsweep
