// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_BBR3_HISTORY_H
#define TCPSWEEP_BBR3_HISTORY_H

#include <ns3/nstime.h>

#include <cstdint>
#include <deque>

namespace tcpsweep::bbr3
{

/// What a connection knew when it sent packets: draft-ietf-ccwg-bbr-06, section 4.1.2.2. It is kept
/// by the time of sending, because ns-3's own record of a packet has no room for it.
class History
{
  public:
    /// The state of the connection after it sent a packet.
    struct Record
    {
        ns3::Time at;             //!< the time
        uint32_t inFlight{0};     //!< P.tx_in_flight, with this packet
        uint64_t lost{0};         //!< P.lost
        bool isAppLimited{false}; //!< P.is_app_limited
    };

    /// @param record the present state
    void Add(const Record& record);

    /// @return the state at a time, or the earliest one that is known
    Record At(ns3::Time time) const;

    /// Forget the states before a time.
    void Forget(ns3::Time before);

  private:
    std::deque<Record> m_records; //!< by time
};

} // namespace tcpsweep::bbr3

#endif // TCPSWEEP_BBR3_HISTORY_H
