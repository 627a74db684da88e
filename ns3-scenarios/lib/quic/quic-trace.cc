// SPDX-License-Identifier: GPL-2.0-only
#include "quic/quic-trace.h"

#include <limits>

namespace tcpsweep
{

namespace
{

/// The value of a threshold that was never set, as in ns-3.
constexpr uint64_t UNSET_SSTHRESH = std::numeric_limits<uint32_t>::max();

} // namespace

QuicTrace::QuicTrace(OutputFiles& files, uint32_t flow)
    : m_flow(static_cast<int32_t>(flow)),
      m_cwnd{files.Trace("cwnd_bytes"), 0},
      m_ssthresh{files.Trace("ssthresh_bytes"), 0},
      m_rtt{files.Trace("rtt_s"), QUIC_STACK_NONE},
      m_smoothedRtt{files.Trace("srtt_s"), QUIC_STACK_NONE},
      m_state{files.Trace("congestion_state"), 0},
      m_inFlight{files.Trace("in_flight_bytes"), 0},
      m_retransmitted{files.Trace("retransmitted_bytes"), 0}
{
}

std::vector<std::string>
QuicTrace::Unavailable()
{
    return {"acked_bytes",
            "duplicate_bytes",
            "timeouts",
            "receiver_limited_s",
            "application_limited_s",
            "send_buffer_limited_s"};
}

void
QuicTrace::Follow(const quic_state& state)
{
    const bool isSet = state.ssthresh_bytes < UNSET_SSTHRESH;
    Note(m_cwnd, state.cwnd_bytes);
    Note(m_ssthresh, isSet ? state.ssthresh_bytes : UNSET_SSTHRESH);
    Note(m_rtt, state.rtt_ns);
    Note(m_smoothedRtt, state.smoothed_rtt_ns);
    Note(m_state, state.congestion_state);
    Note(m_inFlight, state.in_flight_bytes);
    Note(m_retransmitted, state.lost_bytes);
}

void
QuicTrace::Note(Row& row, uint64_t value) const
{
    if (row.value != value)
    {
        row.value = value;
        AddRow(row.series, m_flow, value);
    }
}

} // namespace tcpsweep
