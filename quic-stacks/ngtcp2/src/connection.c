/* SPDX-License-Identifier: MIT */
#include "end.h"

#include <netinet/in.h>

#define CID_BYTES 8

static struct sockaddr_in ADDRESS = {.sin_family = AF_INET};
const ngtcp2_path PATH = {{(struct sockaddr*)&ADDRESS, sizeof ADDRESS},
                          {(struct sockaddr*)&ADDRESS, sizeof ADDRESS},
                          NULL};

handshake*
handshake_of(void* user_data)
{
    return &((quic_end*)user_data)->handshake;
}

/** @return the next 64 bits of SplitMix64 (Steele, Lea and Flood, 2014) */
static uint64_t
next_random(quic_end* end)
{
    uint64_t z = end->random += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static void
fill_random(quic_end* end, uint8_t* to, size_t size)
{
    for (size_t at = 0; at < size; ++at)
    {
        to[at] = (uint8_t)(next_random(end) >> 32);
    }
}

static void
on_random(uint8_t* to, size_t size, const ngtcp2_rand_ctx* context)
{
    fill_random(context->native_handle, to, size);
}

static void
make_cid(quic_end* end, ngtcp2_cid* cid)
{
    uint8_t data[CID_BYTES];
    fill_random(end, data, sizeof data);
    ngtcp2_cid_init(cid, data, sizeof data);
}

static int
on_new_cid(ngtcp2_conn* conn, ngtcp2_cid* cid, uint8_t* token, size_t size, void* user_data)
{
    (void)conn;
    cid->datalen = size;
    fill_random(user_data, cid->data, size);
    fill_random(user_data, token, NGTCP2_STATELESS_RESET_TOKENLEN);
    return 0;
}

static int
on_path_challenge(ngtcp2_conn* conn, uint8_t* data, void* user_data)
{
    (void)conn;
    fill_random(user_data, data, NGTCP2_PATH_CHALLENGE_DATALEN);
    return 0;
}

static int
on_established(ngtcp2_conn* conn, void* user_data)
{
    (void)conn;
    ((quic_end*)user_data)->is_established = 1;
    return 0;
}

static int
on_data(ngtcp2_conn* conn,
        uint32_t flags,
        int64_t stream,
        uint64_t offset,
        const uint8_t* data,
        size_t size,
        void* user_data,
        void* stream_data)
{
    (void)conn, (void)flags, (void)offset, (void)data, (void)stream_data;
    quic_end* const end = user_data;
    end->stream = stream;
    end->arrived += size;
    return 0;
}

static int
on_acked(ngtcp2_conn* conn,
         int64_t stream,
         uint64_t offset,
         uint64_t size,
         void* user_data,
         void* stream_data)
{
    (void)conn, (void)stream, (void)stream_data;
    ((quic_end*)user_data)->acked = offset + size;
    return 0;
}

int
make_connection(quic_end* end, const ngtcp2_pkt_hd* head, uint64_t now)
{
    ngtcp2_callbacks callbacks = {0};
    handshake_set_callbacks(&callbacks);
    callbacks.rand = on_random;
    callbacks.get_new_connection_id = on_new_cid;
    callbacks.get_path_challenge_data = on_path_challenge;
    callbacks.handshake_completed = on_established;
    callbacks.recv_stream_data = on_data;
    callbacks.acked_stream_data_offset = on_acked;

    ngtcp2_settings settings;
    ngtcp2_settings_default(&settings);
    settings.cc_algo = end->control;
    settings.initial_ts = now;
    settings.max_tx_udp_payload_size = end->settings.datagram_bytes;
    settings.no_tx_udp_payload_size_shaping = 1;
    settings.no_pmtud = 1;
    settings.handshake_timeout = UINT64_MAX;
    settings.rand_ctx.native_handle = end;

    ngtcp2_transport_params params;
    ngtcp2_transport_params_default(&params);
    params.initial_max_streams_uni = 1;
    /* The library renews half of the window at a time, so that half of it is there in each round
     * trip. The sender's buffer then has the size that was asked for. */
    params.initial_max_stream_data_uni = 2 * end->settings.window_bytes;
    params.initial_max_data = NGTCP2_MAX_VARINT;

    ngtcp2_cid own, other;
    make_cid(end, &own);
    if (head)
    {
        params.original_dcid = head->dcid;
        return ngtcp2_conn_server_new(&end->conn,
                                      &head->scid,
                                      &own,
                                      &PATH,
                                      head->version,
                                      &callbacks,
                                      &settings,
                                      &params,
                                      NULL,
                                      end);
    }
    make_cid(end, &other);
    return ngtcp2_conn_client_new(&end->conn,
                                  &other,
                                  &own,
                                  &PATH,
                                  NGTCP2_PROTO_VER_V1,
                                  &callbacks,
                                  &settings,
                                  &params,
                                  NULL,
                                  end);
}
