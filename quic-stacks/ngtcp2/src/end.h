/* SPDX-License-Identifier: MIT */
#ifndef TCPSWEEP_NGTCP2_END_H
#define TCPSWEEP_NGTCP2_END_H

#include "handshake.h"
#include "quic/quic-stack.h"

#include <ngtcp2/ngtcp2.h>

#if NGTCP2_VERSION_NUM < 0x000c00 || NGTCP2_VERSION_NUM >= 0x000d00
#error "this adapter needs ngtcp2 0.12"
#endif

/** No stream was opened yet. */
#define NO_STREAM (-1)

/** One end: a connection of ngtcp2 with its only stream. */
struct quic_end
{
    handshake handshake;
    quic_settings settings;
    ngtcp2_cc_algo control;
    ngtcp2_conn* conn; /* NULL for a server before the first datagram */
    uint64_t random;
    int is_established;
    int is_lost;
    /* The stream, and its bytes so far. */
    int64_t stream;
    uint64_t offered; /* by the application */
    uint64_t written; /* into packets */
    uint64_t acked;
    uint64_t arrived; /* in order, since the application has read */
    int has_last;
    int has_written_last;
    /* What was seen of congestion. */
    size_t burst_bytes;
    uint64_t state;
    uint64_t since; /* when the last reduction began */
    uint64_t lost_packets;
    uint64_t lost_bytes;
    uint64_t events;
};

/** The only path: both ends name the other by the same address. */
extern const ngtcp2_path PATH;

/**
 * Make the connection of an end.
 *
 * @param end the end
 * @param head the header of a client's first packet; NULL at the client
 * @param now the time
 * @return 0, or an error
 */
int make_connection(quic_end* end, const ngtcp2_pkt_hd* head, uint64_t now);

/**
 * Note what an event did to the congestion control.
 *
 * @param end the end
 * @param before the state before the event
 * @param now the time
 */
void observe(quic_end* end, const ngtcp2_conn_stat* before, uint64_t now);

#endif
