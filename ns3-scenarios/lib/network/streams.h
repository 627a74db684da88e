// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_STREAMS_H
#define TCPSWEEP_STREAMS_H

#include <cstdint>
#include <stdexcept>

/**
 * @file
 * The only place where the numbers of random streams are made.
 */

namespace tcpsweep
{

/**
 * The purposes of random numbers. Each purpose and flow has its own stream number, which does not
 * depend on the rest of the simulation. So simulations that differ in the variant use common random
 * numbers.
 *
 * | purpose            | index                            | use of the random numbers            |
 * |--------------------|----------------------------------|--------------------------------------|
 * | PACKET_JITTER      | direction with jitter, in order  | the delay of sending a packet        |
 * | DATA_LOSS          | link                             | losses in the forward direction      |
 * | ACK_LOSS           | link                             | losses in the reverse direction      |
 * | QUEUE_DISC         | 2 × link, + 1 for the reverse    | a link's queue disc                  |
 * | RADIO              | 100 × node                       | backoff, jitter, bits of a radio     |
 * | ARP                | node                             | the delay of an ARP request          |
 * | PROPAGATION        | 100 × side                       | random fading of signals             |
 * | START_JITTER       | flow                             | the delay of the flow's start        |
 * | CONGESTION_CONTROL | flow                             | TcpBbr                               |
 * | HASH_SALT          | 2 × link, + 1 for the reverse    | the salt of a disc's hash of flows   |
 * | QUEUE_CLASS        | StreamOfClass()                  | PIE and COBALT inside FqPIE and      |
 * |                    |                                  | FqCobalt                             |
 * | GILBERT_ELLIOTT    | way                              | a channel's state and its losses     |
 * | REORDER            | way                              | which packets are late, and how much |
 * | CHANNEL_STATE      | way                              | a channel's state that has a step    |
 * | SCHEDULED_LOSS     | way                              | losses at a schedule's probability   |
 * | LINK_JITTER        | way                              | the additional delay of a packet     |
 * | TRAFFIC_TIME       | 10000 × group + member           | gaps between flows, times on and off |
 * | TRAFFIC_SIZE       | 10000 × group + member           | how many bytes, or objects           |
 * | TRAFFIC_HOST       | 10000 × group                    | from and to which host a flow goes   |
 * | TRAFFIC_CONTROL    | 10000 × group + number           | a client's TcpBbr, or all of a       |
 * |                    |                                  | listening host's                     |
 *
 * A way is one direction of a link, by Way::number.
 *
 * Links are numbered in the order in which they are made; a dumbbell's bottleneck is 0.
 *
 * A wireless network's nodes are numbered alternately on the left and on the right: the routers are
 * 0 and 1, the first stations 2 and 3, the second stations 4 and 5. So a station's random numbers
 * do not depend on the number of stations. The sides are 0 and 1, and 2 is for the single random
 * number behind the list of nodes that a node hears, in run.json. A node or a side has the 100
 * streams from 100 × its number on.
 *
 * ns-3 draws the first sequence numbers of an 802.15.4 device before the stream's number can be
 * set. Nothing else depends on these numbers.
 *
 * Numbers below the first purpose's are left to ns-3's defaults, such as TcpBbr's 4, and to the
 * option loss_stream.
 */
enum class Draw : int64_t
{
    PACKET_JITTER = 1,
    DATA_LOSS = 2,
    ACK_LOSS = 3,
    QUEUE_DISC = 4,
    RADIO = 5,
    ARP = 6,
    PROPAGATION = 7,
    START_JITTER = 8,
    CONGESTION_CONTROL = 9,
    HASH_SALT = 10,
    QUEUE_CLASS = 11,
    GILBERT_ELLIOTT = 12,
    REORDER = 13,
    SCHEDULED_LOSS = 14,
    LINK_JITTER = 15,
    TRAFFIC_TIME = 16,
    TRAFFIC_SIZE = 17,
    TRAFFIC_HOST = 18,
    TRAFFIC_CONTROL = 19,
    CHANNEL_STATE = 20,
};

/// Streams of each purpose.
constexpr int64_t STREAMS_PER_PURPOSE = 1000000;
/// Streams of the classes of one queue disc.
constexpr uint32_t STREAMS_PER_DISC = 100000;
/// The first stream of the classes of the third queue disc; the first two discs use QUEUE_CLASS.
constexpr int64_t STREAMS_OF_CLASSES = 1000000000;

/**
 * @param draw the purpose
 * @param index the flow, or the index in the table above
 * @return the stream's number; TcpBbr's fits in its 32 bits
 * @throws std::logic_error for an index whose stream would belong to another purpose
 */
constexpr int64_t
StreamOf(Draw draw, uint32_t index)
{
    return index < STREAMS_PER_PURPOSE
               ? static_cast<int64_t>(draw) * STREAMS_PER_PURPOSE + index
               : throw std::logic_error("too many random streams of one purpose");
}

/**
 * @param disc the number of a queue disc
 * @param number the number of one of its classes
 * @return the stream's number
 */
constexpr int64_t
StreamOfClass(uint32_t disc, uint32_t number)
{
    return disc < 2 ? StreamOf(Draw::QUEUE_CLASS, disc * STREAMS_PER_DISC + number)
                    : STREAMS_OF_CLASSES + int64_t{disc} * STREAMS_PER_DISC + number;
}

} // namespace tcpsweep

#endif // TCPSWEEP_STREAMS_H
