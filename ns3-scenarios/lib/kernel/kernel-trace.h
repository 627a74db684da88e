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
 * Writes the state of a connection of the kernel's, as SocketTrace and SendTrace do of one of
 * ns-3's: a row whenever a value is another than before. The kernel is asked after each packet that
 * it sends or gets, which is when its state changes.
 */
class KernelTrace
{
  public:
    /**
     * @param files where it goes
     * @param flow the flow's index
     * @param bytes what it sends; 0 for no limit
     */
    KernelTrace(OutputFiles& files, uint32_t flow, uint64_t bytes);

    KernelTrace(const KernelTrace&) = delete;
    KernelTrace& operator=(const KernelTrace&) = delete;

    /**
     * Write what has changed.
     *
     * @param state the connection's state now
     */
    void Follow(const TcpState& state);

    /// Add the time since the last change to what limited the sender meanwhile.
    void Settle();

    /// @return the traces that the kernel does not tell
    static std::vector<std::string> Unavailable();

  private:
    /// A trace and its last value.
    struct Row
    {
        TraceSeries* series;           //!< where it goes
        std::optional<uint64_t> value; //!< the last value
    };

    /**
     * @param row a trace
     * @param value its value now
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
    Row m_timeouts;                   //!< how often the retransmission timer expired
    Row m_receiverLimited;            //!< time limited by the receiver's window
    TraceSeries* m_applicationRows;   //!< time without anything to send
    ns3::Time m_application;          //!< so far
    ns3::Time m_since;                //!< when the state was last looked at
    std::optional<TcpState> m_before; //!< that state
};

} // namespace tcpsweep

#endif // TCPSWEEP_KERNEL_TRACE_H
