// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_PROBE_SOCKET_H
#define TCPSWEEP_PROBE_SOCKET_H

#include "corrections/rack-socket.h"

#include <ns3/tcp-option-sack.h>

namespace tcpsweep
{

/// A TCP socket with RACK that also sends tail loss probes (RFC 8985, section 7).
class ProbeSocket : public RackSocket
{
  protected:
    /// Read the answers to probes from DSACK, and not from timestamps.
    void ReadDuplicates();
    /// @return whether a DSACK's segment is the probe in flight
    bool IsProbe(const ns3::TcpOptionSack::SackBlock& duplicate) const;

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
    /// What an ACK says about a probe.
    enum class Answer
    {
        NOTHING,  //!< wait for the next one
        ARRIVED,  //!< no segment was lost
        REPAIRED, //!< the probe has repaired a loss
    };

    /**
     * Section 7.4.2.
     *
     * @param header an ACK
     * @param advances whether it is the first with its number
     * @return what it says about the probe in flight
     */
    Answer AnswerIn(const ns3::TcpHeader& header, bool advances) const;
    /// The same by timestamps, for receivers without DSACK. @param header an ACK for the probe
    Answer AnswerInTime(const ns3::TcpHeader& header) const;

    InFlight m_probe;              //!< the probe in flight, if any
    bool m_readsDuplicates{false}; //!< whether DSACK tells of the probe
    bool m_isReceiving{false};     //!< whether an ACK is processed, after which it is scheduled
};

} // namespace tcpsweep

#endif // TCPSWEEP_PROBE_SOCKET_H
