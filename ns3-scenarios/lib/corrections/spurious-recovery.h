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
 * Recognises a recovery or a timeout that was not necessary: the ACK for what was sent again has an
 * older timestamp, so the first transmission has arrived (the Eifel detection, RFC 3522).
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

    /// A recovery begins, or a timeout.
    void Begin(Before before);

    /// It is over.
    void End();

    /// A segment is sent again.
    void Retransmit();

    /// @return whether an ACK that advances shows that it was not necessary
    bool IsShownBy(const ns3::TcpHeader& header) const;

    /// @return what the present recovery or timeout changed
    Before Changed() const;

  private:
    std::optional<Before> m_before; //!< before the present recovery, if any
    ns3::Time m_first;              //!< when the first segment was sent again, zero if none was
};

} // namespace tcpsweep

#endif // TCPSWEEP_SPURIOUS_RECOVERY_H
