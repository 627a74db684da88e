/* SPDX-License-Identifier: MIT */
#include "end.h"

/* The states of congestion, with ns-3's numbers. */
enum
{
    STATE_OPEN = 0,
    STATE_CWR = 2,
    STATE_RECOVERY = 3,
    STATE_LOSS = 4
};

void
observe(quic_end* end, const ngtcp2_conn_stat* before, uint64_t now)
{
    ngtcp2_conn_stat after;
    ngtcp2_conn_get_conn_stat(end->conn, &after);
    const uint64_t left = before->bytes_in_flight > after.bytes_in_flight
                              ? before->bytes_in_flight - after.bytes_in_flight
                              : 0;
    /* The library counts lost packets of the stream, until the stream is done, but not their bytes.
     * All but the last packets of a transfer are full. */
    const uint64_t count =
        end->stream == NO_STREAM ? 0 : ngtcp2_conn_get_stream_loss_count(end->conn, end->stream);
    const int has_lost = count > end->lost_packets;
    if (has_lost)
    {
        const uint64_t bytes = (count - end->lost_packets) * end->settings.datagram_bytes;
        end->lost_bytes += bytes < left ? bytes : left;
        end->lost_packets = count;
    }
    const uint64_t began = after.congestion_recovery_start_ts;
    if (began != before->congestion_recovery_start_ts)
    {
        /* It is unset after persistent congestion, and if a loss was none after all. */
        const int is_reduced = began != UINT64_MAX || after.cwnd < before->cwnd;
        const uint64_t reason = has_lost ? STATE_RECOVERY : STATE_CWR;
        end->events += (uint64_t)is_reduced;
        end->since = is_reduced ? now : QUIC_STACK_NONE;
        end->state = !is_reduced ? STATE_OPEN : began == UINT64_MAX ? STATE_LOSS : reason;
    }
    else if (left && end->since != QUIC_STACK_NONE && now - after.latest_rtt > end->since)
    {
        end->state = STATE_OPEN;
    }
}
