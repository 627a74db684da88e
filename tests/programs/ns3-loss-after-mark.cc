// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>

#include <iostream>
#include <set>
#include <string>

/**
 * @file
 * A bug report for ns-3, with ns-3 alone: a flow of TcpLinuxReno loses one segment in the round
 * trip after an ECN mark. The loss should start a recovery. The program prints how many ms after
 * the loss the segment is retransmitted, the number of recoveries, and the number of timeouts. It
 * does so without SACK and with it, each without the mark and with it.
 *
 * With the argument `assert`, the flow has SACK and loses two segments, and one ACK is lost, too.
 * Then an assert of ns-3 fails.
 */

namespace
{

using namespace ns3;

using Numbers = std::set<uint32_t>; //!< of packets, from 0 for the SYN or its answer

/// Marks and loses chosen packets.
class Path : public ErrorModel
{
  public:
    /**
     * @param marked the packets to mark
     * @param lost the packets to lose
     */
    Path(const Numbers& marked, const Numbers& lost)
        : m_marked(marked),
          m_lost(lost)
    {
    }

    Time firstLoss; //!< when the first packet was lost

  private:
    bool
    DoCorrupt(Ptr<Packet> packet) override
    {
        const auto number = m_seen++;
        if (m_marked.count(number))
        {
            PppHeader ppp;
            Ipv4Header ip;
            packet->RemoveHeader(ppp);
            packet->RemoveHeader(ip);
            ip.SetEcn(Ipv4Header::ECN_CE);
            packet->AddHeader(ip);
            packet->AddHeader(ppp);
        }
        const bool isLost = m_lost.count(number) > 0;
        if (isLost && firstLoss.IsZero())
        {
            firstLoss = Simulator::Now();
        }
        return isLost;
    }

    void
    DoReset() override
    {
    }

    Numbers m_marked;   //!< the packets to mark
    Numbers m_lost;     //!< the packets to lose
    uint32_t m_seen{0}; //!< packets until now
};

/// What a flow does after a loss.
struct Reaction
{
    Time firstRetransmission; //!< when it first retransmits a segment
    uint32_t recoveries{0};   //!< fast recoveries
    uint32_t timeouts{0};     //!< retransmission timeouts

    /// Count recoveries and timeouts.
    void
    FollowState(TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t now)
    {
        recoveries += now == TcpSocketState::CA_RECOVERY ? 1 : 0;
        timeouts += now == TcpSocketState::CA_LOSS ? 1 : 0;
    }

    /// Keep the time of the first retransmission.
    void
    Retransmit(Ptr<const Packet>,
               const TcpHeader&,
               const Address&,
               const Address&,
               Ptr<const TcpSocketBase>)
    {
        if (firstRetransmission.IsZero())
        {
            firstRetransmission = Simulator::Now();
        }
    }
};

/**
 * Let a flow lose packets, and print its reaction.
 *
 * @param hasSack whether sender and receiver have SACK
 * @param marked the packets to mark
 * @param lost the packets to lose
 * @param lostAcks the ACKs to lose
 */
void
Print(bool hasSack, const Numbers& marked, const Numbers& lost, const Numbers& lostAcks)
{
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(hasSack));
    NodeContainer nodes(2);
    InternetStackHelper().Install(nodes);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
    link.SetChannelAttribute("Delay", StringValue("20ms"));
    const auto devices = link.Install(nodes);
    const auto path = CreateObject<Path>(marked, lost);
    devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(path));
    const auto back = CreateObject<Path>(Numbers(), lostAcks);
    devices.Get(0)->SetAttribute("ReceiveErrorModel", PointerValue(back));
    const auto addresses = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);

    const uint16_t port = 5000;
    BulkSendHelper source("ns3::TcpSocketFactory",
                          InetSocketAddress(addresses.GetAddress(1), port));
    auto sources = source.Install(nodes.Get(0));
    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), port));
    sink.Install(nodes.Get(1));
    Reaction reaction;
    const auto follow = [&sources, &reaction]
    {
        const auto socket = DynamicCast<BulkSendApplication>(sources.Get(0))->GetSocket();
        socket->TraceConnectWithoutContext("CongState",
                                           MakeCallback(&Reaction::FollowState, &reaction));
        socket->TraceConnectWithoutContext("Retransmission",
                                           MakeCallback(&Reaction::Retransmit, &reaction));
    };
    Simulator::Schedule(MilliSeconds(1), follow);
    Simulator::Stop(Seconds(3));
    Simulator::Run();
    Simulator::Destroy();
    std::cout << (reaction.firstRetransmission - path->firstLoss).GetMilliSeconds() << ' '
              << reaction.recoveries << ' ' << reaction.timeouts << '\n';
}

} // namespace

int
main(int argc, char* argv[])
{
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpLinuxReno"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1000));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    Config::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue("On"));
    // The window has about 50 segments when the mark's ACK arrives.
    if (argc > 1 && argv[1] == std::string("assert"))
    {
        Print(true, {40}, {60, 92}, {97});
        return 0;
    }
    for (const bool hasSack : {false, true})
    {
        Print(hasSack, {}, {60}, {});
        Print(hasSack, {40}, {60}, {});
    }
    return 0;
}
