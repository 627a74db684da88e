// SPDX-License-Identifier: GPL-2.0-only
#include "options/plugins.h"
#include "options/program.h"
#include "options/text.h"

#include <ns3/ipv4-header.h>
#include <ns3/ipv4-queue-disc-item.h>
#include <ns3/mac48-address.h>
#include <ns3/object-factory.h>
#include <ns3/packet.h>
#include <ns3/queue-disc.h>
#include <ns3/simulator.h>
#include <ns3/string.h>

#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

/**
 * @file
 * Drives a queue disc without a network:
 *
 *     drive-disc --load=LIB TYPEID ATTRIBUTE=VALUE… < STEPS
 *
 * A step is a line "SECONDS in ECN BYTES", a packet that enters, with its ECN field and its bytes
 * with IP's header, or "SECONDS out", the next packet. After each step, a line of "NAME=VALUE" says
 * of the packet: its number among those that entered, -1 if there is none; its ECN field; the trace
 * source BaseProbability; and the number of packets dropped so far.
 */

namespace
{

/// A queue disc and what happened to its packets.
struct Bench
{
    ns3::Ptr<ns3::QueueDisc> disc; //!< the queue disc
    double probability{0};         //!< the last value of its trace source
    int entered{0};                //!< packets that entered
};

/**
 * @param bench the driven disc
 * @param line a step
 */
void
Step(Bench& bench, const std::string& line)
{
    std::istringstream words(line);
    double time = 0;
    int ecn = 0;
    uint32_t bytes = 0;
    std::string what;
    words >> time >> what >> ecn >> bytes;
    int number = bench.entered;
    if (what == "in")
    {
        ns3::Ipv4Header header;
        header.SetEcn(static_cast<ns3::Ipv4Header::EcnType>(ecn));
        // The identification carries the packet's number.
        header.SetIdentification(static_cast<uint16_t>(bench.entered++));
        const auto packet = ns3::Create<ns3::Packet>(bytes - header.GetSerializedSize());
        bench.disc->Enqueue(
            ns3::Create<ns3::Ipv4QueueDiscItem>(packet, ns3::Mac48Address(), 0x0800, header));
    }
    else
    {
        const auto left = ns3::DynamicCast<ns3::Ipv4QueueDiscItem>(bench.disc->Dequeue());
        number = left ? left->GetHeader().GetIdentification() : -1;
        ecn = left ? left->GetHeader().GetEcn() : 0;
    }
    std::cout << "packet=" << number << " ecn=" << ecn << " p=" << bench.probability
              << " drops=" << bench.disc->GetStats().nTotalDroppedPackets << '\n';
}

/**
 * @param argc the number of arguments
 * @param argv the arguments
 */
void
Run(int argc, char** argv)
{
    tcpsweep::LoadPlugins(argc, argv);
    ns3::ObjectFactory factory(argv[2]);
    for (int i = 3; i < argc; ++i)
    {
        const auto words = tcpsweep::Split(argv[i], '=');
        factory.Set(words.at(0), ns3::StringValue(words.at(1)));
    }
    Bench bench{factory.Create<ns3::QueueDisc>()};
    bench.disc->TraceConnectWithoutContext(
        "BaseProbability",
        ns3::Callback<void, double, double>([&bench](double, double value)
                                            { bench.probability = value; }));
    bench.disc->Initialize();
    std::cout << std::setprecision(17);
    ns3::Time last;
    for (std::string line; std::getline(std::cin, line);)
    {
        last = ns3::Seconds(std::stod(line));
        ns3::Simulator::Schedule(last, [&bench, line] { Step(bench, line); });
    }
    ns3::Simulator::Stop(last + ns3::NanoSeconds(1));
    ns3::Simulator::Run();
    bench.disc->Dispose();
    ns3::Simulator::Destroy();
}

} // namespace

int
main(int argc, char** argv)
{
    return tcpsweep::RunProgram("drive-disc", [argc, argv] { Run(argc, argv); });
}
