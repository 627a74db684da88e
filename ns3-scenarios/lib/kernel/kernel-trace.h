// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_KERNEL_TRACE_H
#define TCPSWEEP_KERNEL_TRACE_H

#include "kernel/tcp-state.h"
#include "traces/output-files.h"

#include <ns3/nstime.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tcpsweep
{

/**
 * Writes the state of a kernel's connection, as SocketTrace and SendTrace do for ns-3's
 * connections: a row whenever a value changes. It reads the state after each packet that the kernel
 * sends or receives, because the state changes then.
 */
class KernelTrace
{
  public:
    /**
     * @param files the files for the traces
     * @param flow the flow's index
     * @param bytes the bytes that it sends; 0 for no limit
     */
    KernelTrace(OutputFiles& files, uint32_t flow, uint64_t bytes);

    KernelTrace(const KernelTrace&) = delete;
    KernelTrace& operator=(const KernelTrace&) = delete;

    /**
     * Write the values that have changed.
     *
     * @param state the connection's current state
     */
    void Follow(const TcpState& state);

    /**
     * Add the time since the last change to the application's, if nothing else limited the sender.
     *
     * @param bufferWasFull whether the send buffer limited it in that time
     */
    void Settle(bool bufferWasFull);

    /// @return the traces that the kernel cannot provide
    static std::vector<std::string> Unavailable();

  private:
    /// A trace and its last value.
    struct Row
    {
        TraceSeries* series;           //!< the series to write to
        std::optional<uint64_t> value; //!< the last value
    };

    /**
     * @param row a trace
     * @param value its current value
     */
    void Note(Row& row, uint64_t value) const;

    int32_t m_flow;                   //!< the flow's index
    uint64_t m_bytes;                 //!< bytes that it sends; 0 for no limit
    Row m_cwnd;                       //!< congestion windows
    Row m_ssthresh;                   //!< slow start thresholds
    Row m_smoothedRtt;                //!< smoothed round trips
    Row m_state;                      //!< congestion states
    Row m_inFlight;                   //!< bytes in flight
    Row m_acked;                      //!< acknowledged payload
    Row m_timeouts;                   //!< expiries of the retransmission timer
    Row m_receiverLimited;            //!< time limited by the receiver's window
    Row m_bufferLimited;              //!< time limited by the send buffer
    TraceSeries* m_applicationRows;   //!< time without anything to send
    ns3::Time m_application;          //!< so far
    ns3::Time m_since;                //!< the time of the last state
    std::optional<TcpState> m_before; //!< that state
};

} // namespace tcpsweep

#endif // TCPSWEEP_KERNEL_TRACE_H
