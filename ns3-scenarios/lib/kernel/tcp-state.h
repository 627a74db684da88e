// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_TCP_STATE_H
#define TCPSWEEP_TCP_STATE_H

#include "output/json.h"

#include <cstdint>
#include <optional>

namespace tcpsweep
{

/// The states of a connection that matter here, as the kernel numbers them (net/tcp_states.h).
enum class KernelTcp : uint8_t
{
    ESTABLISHED = 1,
};

/// What the kernel tells of a connection: TCP_INFO, the begin of `struct tcp_info` of
/// include/uapi/linux/tcp.h. Older kernels tell less, and the rest is 0.
struct TcpState
{
    uint8_t state;                 //!< of the connection
    uint8_t congestionState;       //!< as ns-3 numbers them too
    uint8_t retransmits;           //!< timeouts in a row
    uint8_t probes;                //!< probes of a closed window that are not answered
    uint8_t backoff;               //!< how often the timer was doubled
    uint8_t options;               //!< agreed on
    uint8_t scales;                //!< of the windows
    uint8_t flags;                 //!< whether the application limits the delivery rate, and others
    uint32_t rtoUs;                //!< the retransmission timer
    uint32_t atoUs;                //!< the timer of delayed ACKs
    uint32_t segmentBytes;         //!< payload of a full segment
    uint32_t receivedSegmentBytes; //!< the same as the other side seems to have it
    uint32_t unacked;              //!< segments in flight, lost ones included
    uint32_t sacked;               //!< segments of them that have arrived
    uint32_t lost;                 //!< segments of them that are taken for lost
    uint32_t retransmitted;        //!< segments of them that are on their way again
    uint32_t unused;               //!< nothing any more
    uint32_t lastTimesMs[4];       //!< since data and ACKs were sent and received
    uint32_t pathMtu;              //!< of the route
    uint32_t receiveSsthresh;      //!< of the window that is advertised
    uint32_t srttUs;               //!< smoothed round trip
    uint32_t rttVariationUs;       //!< its mean deviation
    uint32_t ssthresh;             //!< in segments
    uint32_t cwnd;                 //!< in segments
    uint32_t advertisedSegmentBytes; //!< the largest that was agreed on
    uint32_t reordering;             //!< duplicate ACKs that mean a loss
    uint32_t receiverRttUs;          //!< as the receiver measures it
    uint32_t receiverSpace;          //!< of its buffer
    uint32_t totalRetransmits;       //!< segments sent again
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
    uint64_t receiverLimitedUs;      //!< of that, held back by the receiver's window
    uint64_t bufferLimitedUs;        //!< of that, held back by the send buffer
    uint32_t delivered;              //!< segments
    uint32_t deliveredMarked;        //!< of them marked
    uint64_t bytesSent;              //!< payload, repeats included
    uint64_t bytesRetransmitted;     //!< payload
    uint32_t dsackDuplicates;        //!< that the receiver told of
    uint32_t reorderingsSeen;        //!< packets that came late
    uint32_t outOfOrder;             //!< packets received out of order
    uint32_t sendWindow;             //!< that the receiver advertises, in bytes
    uint32_t receiveWindow;          //!< that this side advertises, in bytes
    uint32_t rehashes;               //!< changes of the path
    uint16_t totalTimeouts;          //!< of the retransmission timer
    uint16_t totalRecoveries;        //!< from them
    uint32_t totalTimeoutMs;         //!< spent in them
    uint32_t toldBytes;              //!< how much of all this the kernel told; not the kernel's

    /// The threshold of a connection that has not lost anything: TCP_INFINITE_SSTHRESH.
    static constexpr uint32_t INFINITE_SSTHRESH = 0x7fffffff;

    /**
     * @param socket a socket
     * @return its state; nothing if it has none
     */
    static std::optional<TcpState> Of(int socket);

    /// @return whether this kernel counts timeouts: since Linux 6.7
    static bool CountsTimeouts();

    /// @return bytes in flight as the sender counts them
    uint64_t
    InFlightBytes() const
    {
        const int64_t segments = int64_t{unacked} - sacked - lost + retransmitted;
        return segments > 0 ? static_cast<uint64_t>(segments) * segmentBytes : 0;
    }

    /// @param json where it goes, as a value
    void Write(JsonWriter& json) const;
};

} // namespace tcpsweep

#endif // TCPSWEEP_TCP_STATE_H
