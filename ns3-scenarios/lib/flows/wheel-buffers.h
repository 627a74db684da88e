// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_WHEEL_BUFFERS_H
#define TCPSWEEP_WHEEL_BUFFERS_H

#include <ns3/object.h>
#include <ns3/sequence-number.h>
#include <ns3/tcp-tx-buffer.h>
#include <ns3/tcp-tx-item.h>

#include <cstddef>
#include <list>
#include <vector>

namespace tcpsweep
{

/**
 * The sent segments of an ns3::TcpTxBuffer in an array.
 *
 * ns-3 keeps them in a list, and walks along it for each ACK of a recovery. With windows of
 * thousands of segments, it waits for the memory at each step. And ns-3's wheel was built with
 * asserts, one of which compares all segments with themselves at each step
 * (docs/ns3-patches/send-buffer.patch). So wheel-buffers.cc defines four functions of ns-3's
 * buffers again: CopyFromSequence, Update and NextSeg of ns3::TcpTxBuffer, with this array, and Add
 * of ns3::TcpRxBuffer. ns-3's libraries call these definitions instead of their own, because the
 * dynamic linker searches the program first. Simulations have the same packets at the same times.
 * Only programs for the wheel have these definitions, because another ns-3 may have other code.
 */
class SentSegments : public ns3::Object
{
  public:
    using List = std::list<ns3::TcpTxItem*>;

    /// A segment.
    struct Segment
    {
        ns3::SequenceNumber32 begin; //!< its first byte
        ns3::TcpTxItem* item;        //!< ns-3's own record of it
        List::iterator place;        //!< its place in ns-3's list
    };

    /// @return the type, as ns-3 requires
    static ns3::TypeId GetTypeId();

    /**
     * @param buffer a socket's buffer
     * @return its segments, an object that it keeps
     */
    static SentSegments& Of(ns3::TcpTxBuffer* buffer);

    /// Forget all segments, until `Follow` needs them again.
    void Forget();

    /// Remove segments that the list has no longer, at its ends. @param list ns-3's list
    void Drop(List& list);

    /// Let the segments be those of the list. @param list ns-3's list
    void Follow(List& list);

    /// Add the list's last segment, unless the segments are forgotten. @param list ns-3's list
    void Append(List& list);

    /// @return number of segments
    size_t Count() const;

    /**
     * @param position a segment's position, less than Count()
     * @param step the walk's direction, 1 or -1: the memory is asked for the segments ahead
     * @return the segment
     */
    const Segment& At(size_t position, int step) const;

    /**
     * @param seq a sequence number
     * @return position of the first segment that begins there or later; Count() if there is none
     */
    size_t FirstFrom(ns3::SequenceNumber32 seq) const;

  private:
    std::vector<Segment> m_segments; //!< the segments, and before them others that are gone
    size_t m_gone{0};                //!< number of those that are gone
};

} // namespace tcpsweep

#endif // TCPSWEEP_WHEEL_BUFFERS_H
