// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_SPURIOUS_RECOVERY_H
#define TCPSWEEP_SPURIOUS_RECOVERY_H

#include <ns3/nstime.h>
#include <ns3/sequence-number.h>
#include <ns3/tcp-header.h>

#include <cstdint>
#include <optional>

namespace tcpsweep
{

/**
 * Recognises a recovery or a timeout that was not necessary. Either the ACK for what was sent again
 * has an older timestamp, so the first transmission has arrived (the Eifel detection, RFC 3522). Or
 * DSACK reports that all that was sent again has arrived twice (RFC 3708, and Linux).
 */
class SpuriousRecovery
{
  public:
    /// What a recovery or a timeout changed.
    struct Before
    {
        uint32_t window;    //!< the congestion window before, in bytes
        uint32_t threshold; //!< the slow start threshold before, in bytes
    };

    /**
     * A recovery begins, or a timeout.
     *
     * @param before what it changes
     * @param head the first byte without an ACK
     * @param inFlight repeated segments that may still arrive
     */
    void Begin(Before before, ns3::SequenceNumber32 head, uint32_t inFlight);

    /// It is over. DSACK may still show that it was not necessary. @return whether it was there
    bool End();

    /// Forget it, because it was undone, or must not be.
    void Forget();

    /// A segment is sent again.
    void Retransmit();

    /**
     * Segments that were sent again have arrived twice.
     *
     * @param end the byte after them
     * @param segments their number
     */
    void ReceiveDuplicates(ns3::SequenceNumber32 end, uint32_t segments);

    /// @return whether the timestamp of an ACK that advances shows that it was not necessary
    bool IsShownBy(const ns3::TcpHeader& header) const;

    /// @return whether all that was sent again has arrived twice
    bool IsShownByDuplicates() const;

    /// @return what it changed
    Before Changed() const;

  private:
    std::optional<Before> m_before;  //!< before the last recovery, if it can be undone
    bool m_lasts{false};             //!< whether it is not over
    ns3::Time m_first;               //!< when the first segment was sent again, zero if none was
    ns3::SequenceNumber32 m_head{0}; //!< the first byte without an ACK when it began
    std::optional<uint32_t> m_once;  //!< segments sent again without a DSACK, if any were
};

} // namespace tcpsweep

#endif // TCPSWEEP_SPURIOUS_RECOVERY_H
