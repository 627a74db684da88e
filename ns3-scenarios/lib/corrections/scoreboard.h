// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_SCOREBOARD_H
#define TCPSWEEP_SCOREBOARD_H

#include <ns3/nstime.h>
#include <ns3/sequence-number.h>
#include <ns3/tcp-tx-buffer.h>

#include <cstdint>
#include <functional>

namespace tcpsweep
{

/**
 * What a sender knows of each segment between the first one without an ACK and the last one sent.
 *
 * ns-3 keeps this in private members of ns3::TcpTxBuffer, and gives no way to consider a segment
 * lost that is not the first. This class reads and changes those members.
 */
class Scoreboard
{
  public:
    /// A segment that was sent and has no cumulative ACK.
    struct Segment
    {
        ns3::SequenceNumber32 begin; //!< its first byte
        ns3::SequenceNumber32 end;   //!< the byte after its last one
        ns3::Time sent;              //!< when it was last sent
        bool isSacked;               //!< whether SACK reported it
        bool isLost;                 //!< whether a transmission of it is considered lost
        bool isRetransmitted;        //!< whether it was sent again, and this copy may still arrive
        ns3::TcpTxItem* item;        //!< ns-3's own record of it
    };

    /// @param buffer a socket's buffer, which must outlive this object
    explicit Scoreboard(ns3::Ptr<ns3::TcpTxBuffer> buffer);

    /// @param observe is called for each segment that is considered lost, before it is
    void ObserveLosses(std::function<void(const Segment&)> observe);

    /// @param visit is called for each segment by sequence number, until it returns false
    void ForEach(const std::function<bool(const Segment&)>& visit) const;

    /**
     * Consider the last transmission of a segment lost, so that it is the next to be sent.
     *
     * @param segment a segment without a SACK
     */
    void MarkLost(const Segment& segment);

    /// Let the observer know that a timeout considers all segments lost that SACK did not report.
    void TimeOut() const;

    /// Consider all segments that were considered lost as in flight.
    void UnmarkLost();

    /// @return whether a segment from this byte on was sent again, and may still arrive
    bool HasRetransmissionsFrom(ns3::SequenceNumber32 begin) const;

    /// @return segments that were sent again, and may still arrive
    uint32_t RetransmissionsInFlight() const;

    /// @return whether a segment is considered lost, and not sent again since
    bool HasLostToSend() const;

    /**
     * Let ns-3 send all lost segments again. By itself, it sends only those below the highest one
     * that SACK reported, until SACK has news.
     *
     * @param sent the byte after the last one sent
     */
    void OfferAllLost(ns3::SequenceNumber32 sent);

    /// Take segments that SACK reported out of the retransmissions in flight, where ns-3 leaves
    /// them until their cumulative ACK.
    void RemoveArrivedRetransmissions();

    /// @return when the first segment in flight was last sent; zero without one
    ns3::Time OldestSent() const;

    /// @return bytes of the last segment
    uint32_t LastSize() const;

    /// @return bytes of all transmissions considered lost until now
    uint64_t LostBytes() const;

  private:
    ns3::Ptr<ns3::TcpTxBuffer> m_buffer;           //!< the buffer
    uint64_t m_lostBytes{0};                       //!< bytes of all transmissions considered lost
    std::function<void(const Segment&)> m_observe; //!< is called for each lost segment
};

} // namespace tcpsweep

#endif // TCPSWEEP_SCOREBOARD_H
