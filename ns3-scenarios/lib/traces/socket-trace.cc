// SPDX-License-Identifier: GPL-2.0-only
#include "traces/socket-trace.h"

#include <ns3/tcp-socket-base.h>
#include <ns3/uinteger.h>

#include <algorithm>

namespace tcpsweep
{

namespace
{

/// TcpSocketBase's trace source of single round trips. Before 3.43 there is none: its "RTT" is the
/// smoothed one.
const std::string LAST_RTT = "LastRTT";

/**
 * @param socket a socket
 * @param attribute name of an integer attribute
 * @return its value
 */
uint32_t
GetNumber(ns3::Ptr<ns3::Socket> socket, const std::string& attribute)
{
    ns3::UintegerValue value;
    socket->GetAttribute(attribute, value);
    return static_cast<uint32_t>(value.Get());
}

} // namespace

SocketTrace::SocketTrace(OutputFiles& files, uint32_t flow, uint64_t bytes)
    : m_flow(static_cast<int32_t>(flow)),
      m_bytes(bytes),
      m_cwndRows(files.Trace("cwnd_bytes")),
      m_ssthreshRows(files.Trace("ssthresh_bytes")),
      m_rttRows(files.Trace("rtt_s")),
      m_smoothedRttRows(files.Trace("srtt_s")),
      m_stateRows(files.Trace("congestion_state")),
      m_inFlightRows(files.Trace("in_flight_bytes")),
      m_ackedRows(files.Trace("acked_bytes"))
{
}

template <typename Visit>
void
SocketTrace::ForEachTrace(Visit visit)
{
    const auto visitIf = [this, &visit](TraceSeries* file, const std::string& source, auto sink)
    {
        if (file)
        {
            visit(source, ns3::MakeCallback(sink, this));
        }
    };
    visitIf(m_cwndRows, "CongestionWindow", &SocketTrace::CongestionWindow);
    visitIf(m_ssthreshRows, "SlowStartThreshold", &SocketTrace::SlowStartThreshold);
    visitIf(m_smoothedRttRows, "RTT", &SocketTrace::SmoothedRtt);
    visitIf(m_stateRows, "CongState", &SocketTrace::CongestionState);
    visitIf(m_inFlightRows, "BytesInFlight", &SocketTrace::InFlight);
    visitIf(m_ackedRows, "HighestRxAck", &SocketTrace::HighestAck);
    if (Unavailable().empty())
    {
        visitIf(m_rttRows, LAST_RTT, &SocketTrace::LastRtt);
    }
}

void
SocketTrace::Leave(ns3::Ptr<ns3::Socket> socket)
{
    ForEachTrace([&socket](const std::string& source, const auto& sink)
                 { socket->TraceDisconnectWithoutContext(source, sink); });
}

void
SocketTrace::Follow(ns3::Ptr<ns3::Socket> socket)
{
    ForEachTrace([&socket](const std::string& source, const auto& sink)
                 { socket->TraceConnectWithoutContext(source, sink); });
    if (m_cwndRows)
    {
        CongestionWindow(0, GetNumber(socket, "InitialCwnd") * GetNumber(socket, "SegmentSize"));
    }
    if (m_ssthreshRows)
    {
        SlowStartThreshold(0, GetNumber(socket, "InitialSlowStartThreshold"));
    }
}

std::vector<std::string>
SocketTrace::Unavailable()
{
    const bool known = ns3::TcpSocketBase::GetTypeId().LookupTraceSourceByName(LAST_RTT) != nullptr;
    return known ? std::vector<std::string>{} : std::vector<std::string>{"rtt_s"};
}

void
SocketTrace::CongestionWindow(uint32_t, uint32_t now)
{
    AddRow(m_cwndRows, m_flow, uint64_t{now});
}

void
SocketTrace::SlowStartThreshold(uint32_t, uint32_t now)
{
    AddRow(m_ssthreshRows, m_flow, uint64_t{now});
}

void
SocketTrace::LastRtt(ns3::Time, ns3::Time now)
{
    AddRow(m_rttRows, m_flow, now);
}

void
SocketTrace::SmoothedRtt(ns3::Time, ns3::Time now)
{
    AddRow(m_smoothedRttRows, m_flow, now);
}

void
SocketTrace::CongestionState(ns3::TcpSocketState::TcpCongState_t,
                             ns3::TcpSocketState::TcpCongState_t now)
{
    AddRow(m_stateRows, m_flow, static_cast<uint64_t>(now));
}

void
SocketTrace::InFlight(uint32_t, uint32_t now)
{
    AddRow(m_inFlightRows, m_flow, uint64_t{now});
}

void
SocketTrace::HighestAck(ns3::SequenceNumber32 before, ns3::SequenceNumber32 now)
{
    // Sequence numbers wrap every 4 GiB, their differences do not. The first acknowledgment is the
    // SYN's.
    const int32_t gained = now - before;
    m_acked += m_synAcked ? static_cast<uint64_t>(std::max(gained, 0)) : 0;
    m_synAcked = true;
    // The last acknowledgment of a flow that ends covers its FIN too.
    const uint64_t payload = m_bytes ? std::min(m_acked, m_bytes) : m_acked;
    AddRow(m_ackedRows, m_flow, payload);
}

} // namespace tcpsweep
