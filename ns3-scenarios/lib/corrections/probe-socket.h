// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_PROBE_SOCKET_H
#define TCPSWEEP_PROBE_SOCKET_H

#include "corrections/rack-socket.h"

namespace tcpsweep
{

/// A TCP socket with RACK that also sends tail loss probes (RFC 8985, section 7).
class ProbeSocket : public RackSocket
{
  protected:
    void ReceivedAck(ns3::Ptr<ns3::Packet> packet, const ns3::TcpHeader& header) override;
    uint32_t SendDataPacket(ns3::SequenceNumber32 begin, uint32_t maxBytes, bool withAck) override;
    void ReTxTimeout() override;

  private:
    /// A probe in flight.
    struct InFlight
    {
        ns3::SequenceNumber32 end{0}; //!< the byte after it
        ns3::Time at{};               //!< when it was sent, zero if none is in flight
        bool isRetransmission{false}; //!< whether it repeats a segment
    };

    /// Let the retransmission timer send a tail loss probe first, if nothing else will find a loss.
    void ScheduleProbe();
    /// Send a tail loss probe.
    void Probe();
    /// @param header an ACK, which may be for a tail loss probe
    void AnswerProbe(const ns3::TcpHeader& header);

    InFlight m_probe; //!< the probe in flight, if any
};

} // namespace tcpsweep

#endif // TCPSWEEP_PROBE_SOCKET_H
