// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/kernel-trace.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <limits>

namespace tcpsweep
{

namespace
{

/// The value of a threshold that was never set, as in ns-3.
constexpr uint64_t INFINITE = std::numeric_limits<uint32_t>::max();

} // namespace

KernelTrace::KernelTrace(OutputFiles& files, uint32_t flow, uint64_t bytes)
    : m_flow(static_cast<int32_t>(flow)),
      m_bytes(bytes),
      m_cwnd{files.Trace("cwnd_bytes"), {}},
      m_ssthresh{files.Trace("ssthresh_bytes"), {}},
      m_smoothedRtt{files.Trace("srtt_s"), {}},
      m_state{files.Trace("congestion_state"), {}},
      m_inFlight{files.Trace("in_flight_bytes"), {}},
      m_acked{files.Trace("acked_bytes"), {}},
      m_timeouts{files.Trace("timeouts"), {}},
      m_receiverLimited{files.Trace("receiver_limited_s"), {}},
      m_bufferLimited{files.Trace("send_buffer_limited_s"), {}},
      m_applicationRows(files.Trace("application_limited_s"))
{
    // A total has a row from its first value on; a state has its first row when it changes.
    m_acked.value = m_timeouts.value = m_receiverLimited.value = m_bufferLimited.value =
        m_state.value = 0;
}

std::vector<std::string>
KernelTrace::Unavailable()
{
    std::vector<std::string> missing = {"rtt_s"};
    if (!TcpState::CountsTimeouts())
    {
        missing.emplace_back("timeouts");
    }
    return missing;
}

void
KernelTrace::Follow(const TcpState& state)
{
    Settle(m_before && state.bufferLimitedUs > m_before->bufferLimitedUs);
    m_before = state;
    const bool unset = state.ssthresh >= TcpState::INFINITE_SSTHRESH;
    Note(m_cwnd, uint64_t{state.cwnd} * state.segmentBytes);
    Note(m_ssthresh, unset ? INFINITE : uint64_t{state.ssthresh} * state.segmentBytes);
    if (state.srttUs > 0)
    {
        Note(m_smoothedRtt, uint64_t{state.srttUs} * 1000);
    }
    Note(m_state, state.congestionState);
    Note(m_inFlight, state.InFlightBytes());
    // The SYN counts as a byte, and the FIN.
    const uint64_t acked = std::max<uint64_t>(state.bytesAcked, 1) - 1;
    Note(m_acked, m_bytes ? std::min(acked, m_bytes) : acked);
    Note(m_timeouts, state.totalTimeouts);
    Note(m_receiverLimited, state.receiverLimitedUs * 1000);
    Note(m_bufferLimited, state.bufferLimitedUs * 1000);
}

void
KernelTrace::Settle(bool bufferWasFull)
{
    const auto now = ns3::Simulator::Now();
    const auto span = now - m_since;
    m_since = now;
    if (span.IsZero() || !m_before ||
        m_before->state != static_cast<uint8_t>(KernelTcp::ESTABLISHED))
    {
        return;
    }
    const auto ahead = m_before->InFlightBytes() + m_before->segmentBytes;
    const bool hasRoom =
        ahead <= uint64_t{m_before->cwnd} * m_before->segmentBytes && ahead <= m_before->sendWindow;
    if (hasRoom && !bufferWasFull && m_before->notSentBytes == 0 && m_before->dataSegmentsSent > 0)
    {
        m_application += span;
        AddRow(m_applicationRows, m_flow, m_application);
    }
}

void
KernelTrace::Note(Row& row, uint64_t value) const
{
    if (row.value != value)
    {
        row.value = value;
        AddRow(row.series, m_flow, value);
    }
}

} // namespace tcpsweep
