// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_QUIC_TRACE_H
#define TCPSWEEP_QUIC_TRACE_H

#include "quic/quic-stack.h"
#include "traces/output-files.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tcpsweep
{

/// Writes the state of a QUIC sender, as SocketTrace does for TCP: a row whenever a value changes.
class QuicTrace
{
  public:
    /**
     * @param files the files for the traces
     * @param flow the flow's index
     */
    QuicTrace(OutputFiles& files, uint32_t flow);

    QuicTrace(const QuicTrace&) = delete;
    QuicTrace& operator=(const QuicTrace&) = delete;

    /// @param state the sender's current state
    void Follow(const quic_state& state);

    /// @return the traces that no stack provides
    static std::vector<std::string> Unavailable();

  private:
    /// A trace and its last value.
    struct Row
    {
        TraceSeries* series; //!< the series to write to
        uint64_t value;      //!< the last value
    };

    /**
     * @param row a trace
     * @param value its current value
     */
    void Note(Row& row, uint64_t value) const;

    int32_t m_flow;      //!< the flow's index
    Row m_cwnd;          //!< congestion windows
    Row m_ssthresh;      //!< slow start thresholds
    Row m_rtt;           //!< round trips
    Row m_smoothedRtt;   //!< smoothed round trips
    Row m_state;         //!< congestion states
    Row m_inFlight;      //!< bytes in flight
    Row m_retransmitted; //!< bytes of lost packets
};

} // namespace tcpsweep

#endif // TCPSWEEP_QUIC_TRACE_H
