// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_F_RTO_H
#define TCPSWEEP_F_RTO_H

#include <ns3/sequence-number.h>

#include <optional>

namespace tcpsweep
{

/**
 * Recognises a timeout without a loss: F-RTO with SACK, RFC 5682, section 3.1, as Linux has it.
 *
 * After a timeout, the sender repeats the first segment. If its ACK advances, the sender sends new
 * data in place of further repeats. The next ACKs show whether the segments in between arrived.
 */
class FRto
{
  public:
    /// What an ACK reports.
    struct Report
    {
        ns3::SequenceNumber32 acked; //!< the byte after the last with a cumulative ACK
        bool advances;               //!< whether it is the first with this number
        bool hasNews;                //!< whether SACK reports a segment for the first time, or the
                                     //!< ACK repeats the last one
        std::optional<ns3::SequenceNumber32> originalEnd; //!< the byte after the first segment that
                                                          //!< arrived and was sent once, if any
    };

    /// What to do after an ACK.
    enum class Answer
    {
        NOTHING,  //!< continue
        SEND_NEW, //!< send up to two segments of new data
        UNDO      //!< the timeout was without a loss
    };

    /**
     * A timeout; step 1.
     *
     * @param isFirst whether it begins a recovery, or repeats the timeout of the same segment
     * @param sent the byte after the last one sent
     */
    void TimeOut(bool isFirst, ns3::SequenceNumber32 sent);

    /**
     * Steps 2 and 3.
     *
     * @param report what an ACK reports
     * @param sent the byte after the last one sent
     * @return what to do
     */
    Answer Receive(const Report& report, ns3::SequenceNumber32 sent);

    /// Repeat lost segments, as without F-RTO.
    void Stop();

    /// @return whether new data were sent, and the answer is still to come
    bool IsWaiting(ns3::SequenceNumber32 sent) const;

  private:
    bool m_isOn{false};                 //!< whether the last timeout may be without a loss
    ns3::SequenceNumber32 m_recover{0}; //!< the byte after the last one sent before new data
};

} // namespace tcpsweep

#endif // TCPSWEEP_F_RTO_H
