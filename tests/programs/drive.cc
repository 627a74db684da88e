// SPDX-License-Identifier: GPL-2.0-only
#include "options/errors.h"
#include "options/plugins.h"
#include "options/program.h"
#include "options/text.h"

#include <ns3/callback.h>
#include <ns3/nstime.h>
#include <ns3/object-factory.h>
#include <ns3/simulator.h>
#include <ns3/string.h>
#include <ns3/tcp-congestion-ops.h>
#include <ns3/tcp-socket-state.h>

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

/**
 * @file
 * Drives a congestion control without a socket:
 *
 *     drive --load=LIB TYPEID ATTRIBUTE=VALUE… < STEPS
 *
 * A step is a line "SECONDS WHAT [ACK RTT]". WHAT is `ack`, the ACK number ACK with the round trip
 * RTT in seconds, a duplicate if ACK is that of the step before; `loss`, what ns-3 does after the
 * third duplicate ACK; `recovered`, with an ACK, the end of that; `timeout`. As in ns-3's
 * TcpSocketBase, an ACK makes the window grow unless it is a duplicate or belongs to a recovery.
 * After each step, a line of "NAME=VALUE" says cwnd and ssthresh in bytes, and the trace sources of
 * the congestion control.
 */

namespace
{

/// A congestion control, the state of its imaginary socket, and its last traced values.
struct Bench
{
    ns3::Ptr<ns3::TcpCongestionOps> ops;  //!< the congestion control
    ns3::Ptr<ns3::TcpSocketState> tcb;    //!< the socket's state
    std::map<std::string, double> traced; //!< trace source to its last value
};

/**
 * Record the values of a congestion control's trace sources of doubles.
 *
 * @param bench the driven congestion control
 * @param type its type
 */
void
Trace(Bench& bench, ns3::TypeId type)
{
    for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i)
    {
        const std::string name = type.GetTraceSource(i).name;
        bench.traced[name] = 0;
        bench.ops->TraceConnectWithoutContext(
            name,
            ns3::Callback<void, double, double>([&bench, name](double, double value)
                                                { bench.traced[name] = value; }));
    }
}

/**
 * @param bench the driven congestion control
 * @param state the new congestion state
 */
void
SetState(Bench& bench, ns3::TcpSocketState::TcpCongState_t state)
{
    bench.ops->CongestionStateSet(bench.tcb, state);
    bench.tcb->m_congState = state;
}

/**
 * @param bench the driven congestion control
 * @param ack the ACK number
 * @param rtt its round trip, in seconds
 */
void
Acknowledge(Bench& bench, uint32_t ack, double rtt)
{
    const ns3::SequenceNumber32 before = bench.tcb->m_lastAckedSeq;
    const uint32_t segments =
        (ns3::SequenceNumber32(ack) - before) / static_cast<int32_t>(bench.tcb->m_segmentSize);
    bench.tcb->m_lastAckedSeq = ns3::SequenceNumber32(ack);
    bench.tcb->m_lastRtt = ns3::Seconds(rtt);
    bench.ops->PktsAcked(bench.tcb, std::max(segments, 1U), ns3::Seconds(rtt));
    if (segments > 0 && bench.tcb->m_congState != ns3::TcpSocketState::CA_RECOVERY)
    {
        bench.ops->IncreaseWindow(bench.tcb, segments);
    }
}

/**
 * @param bench the driven congestion control
 * @param line a step
 */
void
Step(Bench& bench, const std::string& line)
{
    std::istringstream words(line);
    double time = 0;
    double rtt = 0;
    uint32_t ack = 0;
    std::string what;
    words >> time >> what >> ack >> rtt;
    auto& tcb = *bench.tcb;
    if (what == "ack")
    {
        Acknowledge(bench, ack, rtt);
    }
    else if (what == "loss")
    {
        SetState(bench, ns3::TcpSocketState::CA_RECOVERY);
        tcb.m_ssThresh = bench.ops->GetSsThresh(bench.tcb, tcb.m_cWnd);
    }
    else if (what == "recovered")
    {
        tcb.m_cWnd = tcb.m_ssThresh.Get();
        SetState(bench, ns3::TcpSocketState::CA_OPEN);
        Acknowledge(bench, ack, rtt);
    }
    else if (what == "timeout")
    {
        tcb.m_ssThresh = bench.ops->GetSsThresh(bench.tcb, tcb.m_cWnd);
        bench.ops->CwndEvent(bench.tcb, ns3::TcpSocketState::CA_EVENT_LOSS);
        SetState(bench, ns3::TcpSocketState::CA_LOSS);
        tcb.m_cWnd = tcb.m_segmentSize;
    }
    else
    {
        throw tcpsweep::BadValue("ack, loss, recovered or timeout", what);
    }
    std::cout << "cwnd=" << tcb.m_cWnd.Get() << " ssthresh=" << tcb.m_ssThresh.Get();
    for (const auto& [name, value] : bench.traced)
    {
        std::cout << ' ' << name << '=' << value;
    }
    std::cout << '\n';
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
    Bench bench{factory.Create<ns3::TcpCongestionOps>(),
                ns3::CreateObject<ns3::TcpSocketState>(),
                {}};
    bench.tcb->m_segmentSize = 1000;
    bench.tcb->m_cWnd = 10000;
    bench.tcb->m_ssThresh = 20000;
    Trace(bench, factory.GetTypeId());
    bench.ops->Init(bench.tcb);
    std::cout << std::setprecision(17);
    for (std::string line; std::getline(std::cin, line);)
    {
        ns3::Simulator::Schedule(ns3::Seconds(std::stod(line)) - ns3::Simulator::Now(),
                                 [&bench, line] { Step(bench, line); });
    }
    ns3::Simulator::Run();
    ns3::Simulator::Destroy();
}

} // namespace

int
main(int argc, char** argv)
{
    return tcpsweep::RunProgram("drive", [argc, argv] { Run(argc, argv); });
}
