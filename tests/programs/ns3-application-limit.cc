// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>

#include <iostream>

/**
 * @file
 * A bug report for ns-3, with ns-3 alone: an application writes a segment each 5 ms, 2.3 Mbit/s,
 * and the link has 10 Mbit/s. Nothing but the application limits the rate. The program prints the
 * number of rate samples, and how many of them say that the application limits them.
 */

namespace
{

using namespace ns3;

uint32_t samples = 0; //!< rate samples
uint32_t limited = 0; //!< those that the application limits

/// A constant window that counts rate samples.
class Counter : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid =
            TypeId("Counter").SetParent<TcpNewReno>().AddConstructor<Counter>();
        return tid;
    }

    bool
    HasCongControl() const override
    {
        return true;
    }

    void
    CongControl(Ptr<TcpSocketState>,
                const TcpRateOps::TcpRateConnection&,
                const TcpRateOps::TcpRateSample& sample) override
    {
        ++samples;
        limited += sample.m_isAppLimited ? 1 : 0;
    }
};

} // namespace

int
main()
{
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", TypeIdValue(Counter::GetTypeId()));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(100));
    NodeContainer nodes(2);
    InternetStackHelper().Install(nodes);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("10Mbps"));
    link.SetChannelAttribute("Delay", StringValue("20ms"));
    const auto addresses =
        Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(link.Install(nodes));

    const uint16_t port = 5000;
    OnOffHelper source("ns3::TcpSocketFactory", InetSocketAddress(addresses.GetAddress(1), port));
    source.SetConstantRate(DataRate(1448 * 8 * 200), 1448);
    source.Install(nodes.Get(0));
    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), port));
    sink.Install(nodes.Get(1));
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    Simulator::Destroy();
    std::cout << samples << ' ' << limited << '\n';
    return 0;
}
