/* SPDX-License-Identifier: MIT */
/**
 * @file
 * ngtcp2 behind the interface of quic-stack.h, which says what each function does.
 */
#include "end.h"

#include <stdlib.h>
#include <string.h>

/* RFC 9002, 7.7: a burst that is not paced is at most an initial window. */
#define BURST_PACKETS 10

static const uint8_t ZEROS[1 << 16];

static const struct
{
    const char* name;
    ngtcp2_cc_algo algorithm;
} CONTROLS[] = {{"bbr", NGTCP2_CC_ALGO_BBR},
                {"bbr2", NGTCP2_CC_ALGO_BBR2},
                {"cubic", NGTCP2_CC_ALGO_CUBIC},
                {"reno", NGTCP2_CC_ALGO_RENO}};

static void
stack_close(quic_end* end)
{
    ngtcp2_conn_del(end->conn);
    free(end);
}

static quic_end*
stack_open(const quic_settings* settings, uint64_t now)
{
    quic_end* const end = calloc(1, sizeof *end);
    if (!end)
    {
        return NULL;
    }
    end->settings = *settings;
    const uint64_t most = NGTCP2_MAX_VARINT / 2;
    end->settings.window_bytes = settings->window_bytes < most ? settings->window_bytes : most;
    end->random = settings->seed;
    end->stream = NO_STREAM;
    end->since = QUIC_STACK_NONE;
    int is_known = 0;
    for (size_t at = 0; at < sizeof CONTROLS / sizeof *CONTROLS; ++at)
    {
        if (!strcmp(settings->control, CONTROLS[at].name))
        {
            end->control = CONTROLS[at].algorithm;
            is_known = 1;
        }
    }
    if (!is_known || (!settings->is_server && make_connection(end, NULL, now)))
    {
        stack_close(end);
        return NULL;
    }
    return end;
}

static void
stack_receive(quic_end* end, uint64_t now, const uint8_t* data, size_t size, uint32_t ecn)
{
    ngtcp2_pkt_hd head;
    if (!end->conn && (ngtcp2_accept(&head, data, size) || make_connection(end, &head, now)))
    {
        return;
    }
    ngtcp2_conn_stat before;
    ngtcp2_conn_get_conn_stat(end->conn, &before);
    const ngtcp2_pkt_info info = {.ecn = ecn};
    if (ngtcp2_conn_read_pkt(end->conn, &PATH, &info, data, size, now))
    {
        end->is_lost = 1;
    }
    observe(end, &before, now);
}

/** @return the size of a packet, written to data; 0 for none; an error */
static ngtcp2_ssize
write_packet(quic_end* end, ngtcp2_pkt_info* info, uint8_t* data, size_t capacity, uint64_t now)
{
    const uint64_t left = end->offered - end->written;
    if (end->stream != NO_STREAM && !end->settings.is_server && !end->has_written_last &&
        (left || end->has_last))
    {
        const size_t size = left < sizeof ZEROS ? (size_t)left : sizeof ZEROS;
        const int is_last = end->has_last && size == left;
        const ngtcp2_vec vector = {(uint8_t*)ZEROS, size};
        ngtcp2_ssize taken;
        const ngtcp2_ssize written =
            ngtcp2_conn_writev_stream(end->conn,
                                      NULL,
                                      info,
                                      data,
                                      capacity,
                                      &taken,
                                      is_last ? NGTCP2_WRITE_STREAM_FLAG_FIN : 0,
                                      end->stream,
                                      &vector,
                                      1,
                                      now);
        if (taken >= 0)
        {
            end->written += (uint64_t)taken;
            end->has_written_last = is_last && (size_t)taken == size;
        }
        if (written != NGTCP2_ERR_STREAM_DATA_BLOCKED)
        {
            return written;
        }
    }
    return ngtcp2_conn_write_pkt(end->conn, NULL, info, data, capacity, now);
}

static size_t
stack_transmit(quic_end* end, uint64_t now, uint8_t* data, size_t capacity, uint32_t* ecn)
{
    if (!end->conn || end->is_lost)
    {
        return 0;
    }
    const size_t quantum = ngtcp2_conn_get_send_quantum(end->conn);
    const size_t most = (size_t)BURST_PACKETS * end->settings.datagram_bytes;
    ngtcp2_pkt_info info = {0};
    if (end->burst_bytes >= (quantum < most ? quantum : most))
    {
        ngtcp2_conn_update_pkt_tx_time(end->conn, now);
        end->burst_bytes = 0;
    }
    const ngtcp2_ssize written = write_packet(end, &info, data, capacity, now);
    if (written <= 0)
    {
        ngtcp2_conn_update_pkt_tx_time(end->conn, now);
        end->burst_bytes = 0;
        end->is_lost = written < 0;
        return 0;
    }
    end->burst_bytes += (size_t)written;
    *ecn = info.ecn;
    return (size_t)written;
}

static uint64_t
stack_next_timer(quic_end* end)
{
    return !end->conn || end->is_lost ? QUIC_STACK_NONE : ngtcp2_conn_get_expiry(end->conn);
}

static void
stack_on_timer(quic_end* end, uint64_t now)
{
    if (!end->conn || end->is_lost)
    {
        return;
    }
    ngtcp2_conn_stat before;
    ngtcp2_conn_get_conn_stat(end->conn, &before);
    end->is_lost = ngtcp2_conn_handle_expiry(end->conn, now) != 0;
    observe(end, &before, now);
}

static uint64_t
stack_write(quic_end* end, uint64_t bytes, uint32_t is_last)
{
    if (!end->is_established || end->is_lost ||
        (end->stream == NO_STREAM && ngtcp2_conn_open_uni_stream(end->conn, &end->stream, NULL)))
    {
        return 0;
    }
    const uint64_t space = end->settings.window_bytes - (end->offered - end->acked);
    const uint64_t taken = bytes < space ? bytes : space;
    end->offered += taken;
    end->has_last = is_last && taken == bytes;
    return taken;
}

static uint64_t
stack_read(quic_end* end)
{
    const uint64_t taken = end->arrived;
    if (taken)
    {
        end->arrived = 0;
        ngtcp2_conn_extend_max_stream_offset(end->conn, end->stream, taken);
    }
    return taken;
}

static void
stack_state(quic_end* end, quic_state* state)
{
    ngtcp2_conn_stat now = {.ssthresh = UINT64_MAX, .first_rtt_sample_ts = UINT64_MAX};
    if (end->conn)
    {
        ngtcp2_conn_get_conn_stat(end->conn, &now);
    }
    const int has_rtt = now.first_rtt_sample_ts != UINT64_MAX;
    *state = (quic_state){.is_established = (uint64_t)end->is_established,
                          .is_lost = (uint64_t)end->is_lost,
                          .cwnd_bytes = now.cwnd,
                          .ssthresh_bytes = now.ssthresh,
                          .in_flight_bytes = now.bytes_in_flight,
                          .rtt_ns = has_rtt ? now.latest_rtt : QUIC_STACK_NONE,
                          .smoothed_rtt_ns = has_rtt ? now.smoothed_rtt : QUIC_STACK_NONE,
                          .congestion_state = end->state,
                          .lost_bytes = end->lost_bytes,
                          .lost_packets = end->lost_packets,
                          .congestion_events = end->events};
}

static const quic_stack STACK = {.version = QUIC_STACK_VERSION,
                                 .name = "ngtcp2 " NGTCP2_VERSION,
                                 .controls = "bbr bbr2 cubic reno",
                                 .open = stack_open,
                                 .close = stack_close,
                                 .receive = stack_receive,
                                 .transmit = stack_transmit,
                                 .next_timer = stack_next_timer,
                                 .on_timer = stack_on_timer,
                                 .write = stack_write,
                                 .read = stack_read,
                                 .state = stack_state};

__attribute__((visibility("default"))) const quic_stack*
tcpsweep_quic_stack(void)
{
    return &STACK;
}
