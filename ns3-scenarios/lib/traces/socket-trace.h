// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_SOCKET_TRACE_H
#define TCPSWEEP_SOCKET_TRACE_H

#include "traces/output-files.h"

#include <ns3/nstime.h>
#include <ns3/sequence-number.h>
#include <ns3/socket.h>
#include <ns3/tcp-socket-state.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tcpsweep
{

/// Writes the values that a sender's TCP socket traces.
class SocketTrace
{
  public:
    /**
     * @param files the files for the traces
     * @param flow the flow's index
     * @param bytes bytes that the flow sends; 0 for no limit
     */
    SocketTrace(OutputFiles& files, uint32_t flow, uint64_t bytes);

    SocketTrace(const SocketTrace&) = delete;
    SocketTrace& operator=(const SocketTrace&) = delete;

    /**
     * Write the socket's first values and follow it from now on.
     *
     * @param socket the socket, not yet connected
     */
    void Follow(ns3::Ptr<ns3::Socket> socket);

    /**
     * Follow the socket no more.
     *
     * @param socket the socket
     */
    void Leave(ns3::Ptr<ns3::Socket> socket);

    /// @return the traces that this version of ns-3 lacks
    static std::vector<std::string> Unavailable();

  private:
    /**
     * @param visit called for each requested trace, with its source's name and its sink
     */
    template <typename Visit>
    void ForEachTrace(Visit visit);

    /// @param now the congestion window, in bytes
    void CongestionWindow(uint32_t, uint32_t now);
    /// @param now the slow start threshold, in bytes; 2^32 - 1 before the first loss
    void SlowStartThreshold(uint32_t, uint32_t now);
    /// @param now a round trip
    void LastRtt(ns3::Time, ns3::Time now);
    /// @param now the smoothed round trip
    void SmoothedRtt(ns3::Time, ns3::Time now);
    /// @param now the congestion state
    void
    CongestionState(ns3::TcpSocketState::TcpCongState_t, ns3::TcpSocketState::TcpCongState_t now);
    /// @param now the bytes in flight
    void InFlight(uint32_t, uint32_t now);
    /**
     * @param before the highest acknowledgment before
     * @param now the highest acknowledgment
     */
    void HighestAck(ns3::SequenceNumber32 before, ns3::SequenceNumber32 now);

    int32_t m_flow;                 //!< the flow's index
    uint64_t m_bytes;               //!< bytes that it sends; 0 for no limit
    uint64_t m_acked{0};            //!< acknowledged sequence numbers after the SYN's
    bool m_synAcked{false};         //!< whether the SYN was acknowledged
    TraceSeries* m_cwndRows;        //!< congestion windows
    TraceSeries* m_ssthreshRows;    //!< slow start thresholds
    TraceSeries* m_rttRows;         //!< round trips
    TraceSeries* m_smoothedRttRows; //!< smoothed round trips
    TraceSeries* m_stateRows;       //!< congestion states
    TraceSeries* m_inFlightRows;    //!< bytes in flight
    TraceSeries* m_ackedRows;       //!< acknowledged payload
};

} // namespace tcpsweep

#endif // TCPSWEEP_SOCKET_TRACE_H
