// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_TCP_STATE_H
#define TCPSWEEP_TCP_STATE_H

#include "output/json.h"

#include <cstdint>
#include <optional>

namespace tcpsweep
{

/// The relevant states of a connection, with the kernel's numbers (net/tcp_states.h).
enum class KernelTcp : uint8_t
{
    ESTABLISHED = 1,
};

/// The kernel's data on a connection: TCP_INFO, the beginning of `struct tcp_info` in
/// include/uapi/linux/tcp.h. Older kernels have fewer fields, and the rest is 0.
struct TcpState
{
    uint8_t state;                 //!< of the connection
    uint8_t congestionState;       //!< with the same numbers as in ns-3
    uint8_t retransmits;           //!< timeouts in a row
    uint8_t probes;                //!< unanswered probes of a closed window
    uint8_t backoff;               //!< the number of doublings of the timer
    uint8_t options;               //!< agreed on
    uint8_t scales;                //!< of the windows
    uint8_t flags;                 //!< whether the application limits the delivery rate, and others
    uint32_t rtoUs;                //!< the retransmission timer
    uint32_t atoUs;                //!< the timer of delayed ACKs
    uint32_t segmentBytes;         //!< payload of a full segment
    uint32_t receivedSegmentBytes; //!< the other side's segment size, as far as known
    uint32_t unacked;              //!< segments in flight, lost ones included
    uint32_t sacked;               //!< unacknowledged segments that have arrived
    uint32_t lost;                 //!< unacknowledged segments considered lost
    uint32_t retransmitted;        //!< unacknowledged segments retransmitted
    uint32_t unused;               //!< nothing any more
    uint32_t lastTimesMs[4];       //!< since data and ACKs were sent and received
    uint32_t pathMtu;              //!< of the route
    uint32_t receiveSsthresh;      //!< threshold of the advertised window
    uint32_t srttUs;               //!< smoothed round trip
    uint32_t rttVariationUs;       //!< its mean deviation
    uint32_t ssthresh;             //!< in segments
    uint32_t cwnd;                 //!< in segments
    uint32_t advertisedSegmentBytes; //!< the largest agreed segment size
    uint32_t reordering;             //!< duplicate ACKs that mean a loss
    uint32_t receiverRttUs;          //!< the receiver's estimate
    uint32_t receiverSpace;          //!< of its buffer
    uint32_t totalRetransmits;       //!< retransmitted segments
    uint64_t pacingRate;             //!< in bytes per second
    uint64_t maxPacingRate;          //!< in bytes per second
    uint64_t bytesAcked;             //!< the SYN and the FIN counted
    uint64_t bytesReceived;          //!< in order
    uint32_t segmentsSent;           //!< all
    uint32_t segmentsReceived;       //!< all
    uint32_t notSentBytes;           //!< in the send buffer and never sent
    uint32_t minRttUs;               //!< the least round trip of late
    uint32_t dataSegmentsReceived;   //!< with payload
    uint32_t dataSegmentsSent;       //!< with payload
    uint64_t deliveryRate;           //!< in bytes per second
    uint64_t busyUs;                 //!< with something to send
    uint64_t receiverLimitedUs;      //!< busy time limited by the receiver's window
    uint64_t bufferLimitedUs;        //!< busy time limited by the send buffer
    uint32_t delivered;              //!< segments
    uint32_t deliveredMarked;        //!< of them marked
    uint64_t bytesSent;              //!< payload, repeats included
    uint64_t bytesRetransmitted;     //!< payload
    uint32_t dsackDuplicates;        //!< duplicates that the receiver reported
    uint32_t reorderingsSeen;        //!< reordered packets
    uint32_t outOfOrder;             //!< packets received out of order
    uint32_t sendWindow;             //!< the receiver's advertised window, in bytes
    uint32_t receiveWindow;          //!< this side's advertised window, in bytes
    uint32_t rehashes;               //!< changes of the path
    uint16_t totalTimeouts;          //!< of the retransmission timer
    uint16_t totalRecoveries;        //!< from them
    uint32_t totalTimeoutMs;         //!< spent in them
    uint32_t toldBytes;              //!< the bytes that the kernel filled in; not from the kernel

    /// The threshold of a connection without losses: TCP_INFINITE_SSTHRESH.
    static constexpr uint32_t INFINITE_SSTHRESH = 0x7fffffff;

    /**
     * @param socket a socket
     * @return its state; nothing if it has none
     */
    static std::optional<TcpState> Of(int socket);

    /// @return whether this kernel counts timeouts: since Linux 6.7
    static bool CountsTimeouts();

    /// @return the sender's count of bytes in flight
    uint64_t
    InFlightBytes() const
    {
        const int64_t segments = int64_t{unacked} - sacked - lost + retransmitted;
        return segments > 0 ? static_cast<uint64_t>(segments) * segmentBytes : 0;
    }

    /// @param json the writer, which receives a value
    void Write(JsonWriter& json) const;
};

} // namespace tcpsweep

#endif // TCPSWEEP_TCP_STATE_H
