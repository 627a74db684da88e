// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_BOTTLENECK_TRACE_H
#define TCPSWEEP_BOTTLENECK_TRACE_H

#include "network/link.h"
#include "output/json.h"
#include "traces/output-files.h"

#include <ns3/nstime.h>
#include <ns3/packet.h>
#include <ns3/queue-disc.h>
#include <ns3/queue-item.h>

#include <cstdint>
#include <unordered_map>

namespace tcpsweep
{

/**
 * Counts the events of packets in one direction of a link, and if requested writes a row for each
 * event.
 *
 * All sizes are sizes on the wire, including PPP's header. The queue holds the packets that entered
 * the disc or the device's queue and have left neither; the packet in transmission is in neither.
 */
class BottleneckTrace
{
  public:
    /// Packets so far.
    struct Counts
    {
        uint64_t sentPackets{0}; //!< transmitted, including those lost on the link
        uint64_t sentBytes{0};   //!< their bytes
        uint64_t dropPackets{0}; //!< dropped by the disc or the device's queue
        uint64_t markPackets{0}; //!< marked by the disc
        uint64_t lossPackets{0}; //!< lost on the link
    };

    /**
     * @param link the link, followed from left to right
     * @param disc the left device's queue disc; nullptr if it has none
     * @param rows the rows to write; nullptr for counting only
     */
    BottleneckTrace(const Link& link, ns3::Ptr<ns3::QueueDisc> disc, QueueSeries* rows);

    BottleneckTrace(const BottleneckTrace&) = delete;
    BottleneckTrace& operator=(const BottleneckTrace&) = delete;

    /// @return the counts so far
    const Counts&
    Get() const
    {
        return m_counts;
    }

    /**
     * Write the counts so far.
     *
     * @param json the writer, which receives members of an object
     */
    void Write(JsonWriter& json) const;

  private:
    using Item = ns3::Ptr<const ns3::QueueDiscItem>;
    using Packet = ns3::Ptr<const ns3::Packet>;

    /// @param packet a packet that entered the device's queue, where there is no disc
    void DeviceEnqueue(Packet packet);
    /// @param packet a packet that did not fit into the device's queue
    void DeviceDrop(Packet packet);
    /// @param packet a packet that was in the device's queue, and is not sent
    void DeviceDropAfter(Packet packet);
    /// @param packet a packet whose transmission begins
    void Transmit(Packet packet);
    /// @param packet a packet that was lost on the link
    void Lose(Packet packet);
    /// @param item a packet that entered the disc
    void DiscEnqueue(Item item);
    /// @param item a packet that the disc did not accept
    void DiscDropBefore(Item item, const char*);
    /// @param item a packet that the disc accepted and then dropped
    void DiscDropAfter(Item item, const char*);
    /// @param item a packet that the disc marked
    void DiscMark(Item item, const char*);

    /**
     * Note that a packet waits from now on.
     *
     * @param packet the packet
     * @param bytes its size on the wire
     */
    void Enter(Packet packet, uint32_t bytes);

    /**
     * @param packet the packet
     * @return its waiting time so far; zero if it is not in the queue
     */
    ns3::Time Waited(Packet packet) const;

    /**
     * Note that a packet no longer waits.
     *
     * @param packet the packet
     * @param bytes its size on the wire
     * @return its waiting time
     */
    ns3::Time Leave(Packet packet, uint32_t bytes);

    /**
     * @param event the event
     * @param packet the packet
     * @param bytes its size on the wire
     * @param delay the waiting time
     */
    void Write(char event, Packet packet, uint32_t bytes, ns3::Time delay);

    QueueSeries* m_rows; //!< the rows to write
    Counts m_counts;     //!< counts so far
    /// When the waiting packets entered. A packet is the same object from disc to device, but may
    /// share its Uid with an earlier transmission of the same segment that is waiting too.
    std::unordered_map<const ns3::Packet*, ns3::Time> m_entered;
    uint64_t m_queuedBytes{0}; //!< sum of the sizes of the waiting packets
};

} // namespace tcpsweep

#endif // TCPSWEEP_BOTTLENECK_TRACE_H
