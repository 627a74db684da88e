// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/tcp-state.h"

#include "kernel/file-descriptor.h"

#include <cstddef>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace tcpsweep
{

// The kernel's layout on all of its processors that align 64 bits to 8 bytes.
static_assert(offsetof(TcpState, pacingRate) == 104 && offsetof(TcpState, bytesSent) == 200 &&
              offsetof(TcpState, totalTimeouts) == 240);

std::optional<TcpState>
TcpState::Of(int socket)
{
    TcpState state{};
    socklen_t size = offsetof(TcpState, toldBytes);
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &state, &size) != 0)
    {
        return std::nullopt;
    }
    state.toldBytes = size;
    return state;
}

bool
TcpState::CountsTimeouts()
{
    const FileDescriptor any(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const auto state = Of(any.Get());
    return state && state->toldBytes >= offsetof(TcpState, totalTimeoutMs);
}

void
TcpState::Write(JsonWriter& json) const
{
    json.BeginObject()
        .Member("segment_bytes", uint64_t{segmentBytes})
        .Member("bytes_sent", bytesSent)
        .Member("bytes_retransmitted", bytesRetransmitted)
        .Member("bytes_acked", bytesAcked)
        .Member("segments_sent", uint64_t{segmentsSent})
        .Member("segments_received", uint64_t{segmentsReceived})
        .Member("data_segments_sent", uint64_t{dataSegmentsSent})
        .Member("delivered_segments", uint64_t{delivered})
        .Member("delivered_marked_segments", uint64_t{deliveredMarked})
        .Member("min_rtt_s", minRttUs / 1e6)
        .Member("rto_s", rtoUs / 1e6)
        .Member("pacing_rate_bps", static_cast<double>(pacingRate) * 8)
        .Member("delivery_rate_bps", static_cast<double>(deliveryRate) * 8)
        .Member("busy_s", static_cast<double>(busyUs) / 1e6)
        .Member("receiver_limited_s", static_cast<double>(receiverLimitedUs) / 1e6)
        .Member("buffer_limited_s", static_cast<double>(bufferLimitedUs) / 1e6)
        .Member("reordering_segments", uint64_t{reordering})
        .Member("reorderings_seen", uint64_t{reorderingsSeen})
        .Member("dsack_duplicates", uint64_t{dsackDuplicates})
        .EndObject();
}

} // namespace tcpsweep
