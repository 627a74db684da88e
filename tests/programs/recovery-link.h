// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_TESTS_RECOVERY_LINK_H
#define TCPSWEEP_TESTS_RECOVERY_LINK_H

#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>

#include <iostream>
#include <map>
#include <sstream>
#include <utility>

/**
 * @file
 * The link of recovery.cc: it loses, delays and holds chosen packets.
 */

namespace recovery
{

constexpr uint32_t SEGMENT = 1000;   //!< bytes
constexpr auto BANDWIDTH = "10Mbps"; //!< of the link

/// Prints an event.
inline void
Say(char event, uint32_t value)
{
    std::cout << event << ' ' << ns3::Simulator::Now().GetMilliSeconds() << ' ' << value << '\n';
}

/// @return the number of a segment, from 0
inline uint32_t
Number(ns3::SequenceNumber32 begin)
{
    return (begin.GetValue() - 1 + SEGMENT - 1) / SEGMENT;
}

/// Loses chosen ACKs.
class AckLosses : public ns3::ErrorModel
{
  public:
    /// @param text the first ACK to lose, from 0, and how many; joined by a colon
    explicit AckLosses(const std::string& text)
    {
        const auto colon = text.find(':');
        if (colon != std::string::npos)
        {
            m_before = std::stoul(text.substr(0, colon));
            m_count = std::stoul(text.substr(colon + 1));
        }
    }

  private:
    bool
    DoCorrupt(ns3::Ptr<ns3::Packet>) override
    {
        const auto number = m_seen++;
        return number >= m_before && number < m_before + m_count;
    }

    void
    DoReset() override
    {
    }

    uint32_t m_seen{0};   //!< packets until now; the first is the receiver's SYN
    uint32_t m_before{0}; //!< packets before the first one to lose
    uint32_t m_count{0};  //!< how many to lose
};

/**
 * @param text pairs of numbers, as 1:2, joined by commas
 * @return the pairs
 */
inline std::map<uint32_t, uint32_t>
Pairs(const std::string& text)
{
    std::map<uint32_t, uint32_t> pairs;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');)
    {
        const auto colon = word.find(':');
        pairs[std::stoul(word.substr(0, colon))] = std::stoul(word.substr(colon + 1));
    }
    return pairs;
}

/// Loses the first SYNs and chosen transmissions of data segments, and lets chosen segments arrive
/// late.
class Losses : public ns3::ErrorModel
{
  public:
    /**
     * @param device the receiving device
     * @param syns how many SYNs to lose
     * @param lose segments to lose, each with how many of its first transmissions
     * @param late segments that arrive late, each with by how many ms its first transmission does
     */
    Losses(ns3::Ptr<ns3::NetDevice> device,
           uint32_t syns,
           std::map<uint32_t, uint32_t> lose,
           std::map<uint32_t, uint32_t> late)
        : m_device(ns3::DynamicCast<ns3::PointToPointNetDevice>(device)),
          m_syns(syns),
          m_left(std::move(lose)),
          m_late(std::move(late))
    {
    }

  private:
    bool
    DoCorrupt(ns3::Ptr<ns3::Packet> packet) override
    {
        const auto copy = packet->Copy();
        ns3::PppHeader ppp;
        ns3::Ipv4Header ip;
        ns3::TcpHeader tcp;
        copy->RemoveHeader(ppp);
        copy->RemoveHeader(ip);
        copy->RemoveHeader(tcp);
        if (tcp.GetFlags() & ns3::TcpHeader::SYN)
        {
            Say('y', 0);
            const bool isLost = m_syns > 0;
            m_syns -= isLost ? 1 : 0;
            return isLost;
        }
        if (copy->GetSize() == 0)
        {
            return false;
        }
        const auto number = Number(tcp.GetSequenceNumber());
        if (const auto late = m_late.extract(number))
        {
            const auto time = ns3::MilliSeconds(late.mapped());
            ns3::Simulator::Schedule(time,
                                     &ns3::PointToPointNetDevice::Receive,
                                     m_device,
                                     packet->Copy());
            return true;
        }
        auto& left = m_left[number];
        if (left == 0)
        {
            return false;
        }
        --left;
        Say('l', number);
        return true;
    }

    void
    DoReset() override
    {
    }

    ns3::Ptr<ns3::PointToPointNetDevice> m_device; //!< the receiving device
    uint32_t m_syns;                               //!< how many SYNs are still to lose
    std::map<uint32_t, uint32_t> m_left; //!< how many transmissions of a segment are still to lose
    std::map<uint32_t, uint32_t> m_late; //!< by how many ms a segment's next transmission is late
};

/**
 * Let a link hold a packet, and all packets behind it.
 *
 * @param device the link's device
 * @param text from when and for how long, as two numbers of ms joined by a colon; empty for never
 */
inline void
Hold(ns3::Ptr<ns3::NetDevice> device, const std::string& text)
{
    if (text.empty())
    {
        return;
    }
    const auto colon = text.find(':');
    const auto from = ns3::MilliSeconds(std::stoul(text.substr(0, colon)));
    const auto time = ns3::MilliSeconds(std::stoul(text.substr(colon + 1)));
    const auto set = [device](uint64_t rate)
    {
        device->SetAttribute("DataRate", ns3::DataRateValue(ns3::DataRate(rate)));
    };
    const uint64_t bits = 8 * (SEGMENT + 52); // IP, TCP and PPP need about 52 bytes
    ns3::Simulator::Schedule(from, [=] { set(static_cast<uint64_t>(bits / time.GetSeconds())); });
    ns3::Simulator::Schedule(from + time / 2, [=] { set(ns3::DataRate(BANDWIDTH).GetBitRate()); });
}

} // namespace recovery

#endif // TCPSWEEP_TESTS_RECOVERY_LINK_H
