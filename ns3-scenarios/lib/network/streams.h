// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_STREAMS_H
#define TCPSWEEP_STREAMS_H

#include <cstdint>

namespace tcpsweep
{

/**
 * The purposes of random draws. Each purpose and flow has a stream number of its own, whatever else
 * a simulation contains, so that simulations that differ in the variant see the same draws.
 *
 * | purpose       | index          | what is drawn                                       |
 * |---------------|----------------|-----------------------------------------------------|
 * | START_JITTER  | flow           | how much later the flow starts                      |
 * | PACKET_JITTER | flow, then CBR | how much later a packet leaves the sender's link    |
 * | DATA_LOSS     | 0              | which packet is lost on the way to the receivers    |
 * | ACK_LOSS      | 0              | which packet is lost on the way to the senders      |
 * | QUEUE_DISC    | 0 data, 1 acks | what the bottleneck's queue disc draws              |
 * | RADIO         | 100 × node     | what a wireless device draws: backoff, jitter, bits |
 * | ARP           | node           | how much later a node sends an ARP request          |
 * | PROPAGATION   | 100 × side     | how a signal fades, where the model draws it        |
 *
 * A wireless network's nodes are numbered in turn on the left and on the right: the routers are 0
 * and 1, the first stations 2 and 3, the second ones 4 and 5. So a station's draws do not depend on
 * the number of stations. The sides are 0 and 1; a node or a side has the 100 streams from 100 ×
 * its number on.
 *
 * A congestion control that draws, such as TcpBbr, uses the streams that ns-3 numbers
 * automatically, from 2^63 up: a socket does not give access to its congestion control.
 */
enum class Draw : int64_t
{
    START_JITTER = 0,
    PACKET_JITTER = 1,
    DATA_LOSS = 2,
    ACK_LOSS = 3,
    QUEUE_DISC = 4,
    RADIO = 5,
    ARP = 6,
    PROPAGATION = 7,
};

/**
 * @param draw the purpose
 * @param index the flow, or what the table above says
 * @return the stream's number
 */
constexpr int64_t
StreamOf(Draw draw, uint32_t index)
{
    return static_cast<int64_t>(draw) * 1000000 + index;
}

} // namespace tcpsweep

#endif // TCPSWEEP_STREAMS_H
