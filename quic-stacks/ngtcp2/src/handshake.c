/* SPDX-License-Identifier: MIT */
#include "handshake.h"

#include <string.h>

/* Of AES-GCM (RFC 9001, 5.3). */
#define TAG_BYTES 16
#define IV_BYTES 12
/* A message's type and the size of its body, as in TLS (RFC 8446, 4). */
#define HEAD_BYTES 4
/* The size of the transport parameters, in a message's body. */
#define SIZE_BYTES 2
#define MOST_MESSAGE_BYTES 2048

/** A message: its type, and its whole size in bytes if the transport parameters need no more. */
typedef struct message
{
    uint8_t type;
    size_t size;
} message;

static const message CLIENT_HELLO = {1, 280};
static const message SERVER_HELLO = {2, 122};
/* EncryptedExtensions, a certificate with a key of elliptic curves, CertificateVerify, Finished. */
static const message SERVER_FLIGHT = {8, 1100};
static const message CLIENT_FINISHED = {20, 36};

static const uint8_t ZEROS[IV_BYTES];
static const ngtcp2_crypto_aead_ctx NO_KEY;
static const ngtcp2_crypto_cipher_ctx NO_HEADER_KEY;

static void
set_context(ngtcp2_conn* conn)
{
    ngtcp2_crypto_ctx context = {0};
    context.aead.max_overhead = TAG_BYTES;
    context.max_encryption = UINT64_MAX;
    context.max_decryption_failure = UINT64_MAX;
    ngtcp2_conn_set_crypto_ctx(conn, &context);
}

static int
install_initial_keys(ngtcp2_conn* conn)
{
    ngtcp2_crypto_ctx context = {0};
    context.aead.max_overhead = TAG_BYTES;
    ngtcp2_conn_set_initial_crypto_ctx(conn, &context);
    return ngtcp2_conn_install_initial_key(conn,
                                           &NO_KEY,
                                           ZEROS,
                                           &NO_HEADER_KEY,
                                           &NO_KEY,
                                           ZEROS,
                                           &NO_HEADER_KEY,
                                           IV_BYTES);
}

static int
install_handshake_keys(ngtcp2_conn* conn)
{
    set_context(conn);
    const int status =
        ngtcp2_conn_install_rx_handshake_key(conn, &NO_KEY, ZEROS, IV_BYTES, &NO_HEADER_KEY);
    return status ? status
                  : ngtcp2_conn_install_tx_handshake_key(conn,
                                                         &NO_KEY,
                                                         ZEROS,
                                                         IV_BYTES,
                                                         &NO_HEADER_KEY);
}

static int
install_sending_key(ngtcp2_conn* conn)
{
    return ngtcp2_conn_install_tx_key(conn,
                                      ZEROS,
                                      sizeof ZEROS,
                                      &NO_KEY,
                                      ZEROS,
                                      IV_BYTES,
                                      &NO_HEADER_KEY);
}

static int
install_receiving_key(ngtcp2_conn* conn)
{
    return ngtcp2_conn_install_rx_key(conn,
                                      ZEROS,
                                      sizeof ZEROS,
                                      &NO_KEY,
                                      ZEROS,
                                      IV_BYTES,
                                      &NO_HEADER_KEY);
}

/** Send a message: its head, the size of the transport parameters, these, and zeros. */
static int
say(ngtcp2_conn* conn, ngtcp2_crypto_level level, message what, int with_parameters)
{
    uint8_t data[MOST_MESSAGE_BYTES] = {0};
    size_t parameters = 0;
    if (with_parameters)
    {
        const ngtcp2_ssize written =
            ngtcp2_conn_encode_local_transport_params(conn,
                                                      data + HEAD_BYTES + SIZE_BYTES,
                                                      sizeof data - HEAD_BYTES - SIZE_BYTES);
        if (written < 0)
        {
            return (int)written;
        }
        parameters = (size_t)written;
    }
    const size_t least = HEAD_BYTES + SIZE_BYTES + parameters;
    const size_t size = what.size > least ? what.size : least;
    const size_t body = size - HEAD_BYTES;
    data[0] = what.type;
    data[2] = (uint8_t)(body >> 8);
    data[3] = (uint8_t)body;
    data[4] = (uint8_t)(parameters >> 8);
    data[5] = (uint8_t)parameters;
    return ngtcp2_conn_submit_crypto_data(conn, level, data, size);
}

static int
begin_as_client(ngtcp2_conn* conn, void* user_data)
{
    (void)user_data;
    const int status = install_initial_keys(conn);
    return status ? status : say(conn, NGTCP2_CRYPTO_LEVEL_INITIAL, CLIENT_HELLO, 1);
}

static int
begin_as_server(ngtcp2_conn* conn, const ngtcp2_cid* dcid, void* user_data)
{
    (void)dcid;
    (void)user_data;
    return install_initial_keys(conn);
}

/** Act on a whole message. */
static int
take(ngtcp2_conn* conn, uint8_t type, const uint8_t* parameters, size_t size)
{
    int status = 0;
    if (type == CLIENT_HELLO.type)
    {
        (void)((status = ngtcp2_conn_decode_remote_transport_params(conn, parameters, size)) ||
               (status = say(conn, NGTCP2_CRYPTO_LEVEL_INITIAL, SERVER_HELLO, 0)) ||
               (status = install_handshake_keys(conn)) ||
               (status = say(conn, NGTCP2_CRYPTO_LEVEL_HANDSHAKE, SERVER_FLIGHT, 1)) ||
               (status = install_sending_key(conn)));
        return status;
    }
    if (type == SERVER_HELLO.type)
    {
        return install_handshake_keys(conn);
    }
    if (type == SERVER_FLIGHT.type)
    {
        (void)((status = ngtcp2_conn_decode_remote_transport_params(conn, parameters, size)) ||
               (status = say(conn, NGTCP2_CRYPTO_LEVEL_HANDSHAKE, CLIENT_FINISHED, 0)) ||
               (status = install_receiving_key(conn)) || (status = install_sending_key(conn)));
    }
    else
    {
        status = install_receiving_key(conn);
    }
    if (!status)
    {
        ngtcp2_conn_handshake_completed(conn);
    }
    return status;
}

static int
receive(ngtcp2_conn* conn,
        ngtcp2_crypto_level level,
        uint64_t offset,
        const uint8_t* data,
        size_t size,
        void* user_data)
{
    (void)level;
    (void)offset;
    handshake* const here = handshake_of(user_data);
    if (size > sizeof here->data - here->size)
    {
        return NGTCP2_ERR_CRYPTO;
    }
    memcpy(here->data + here->size, data, size);
    here->size += size;
    while (here->size >= HEAD_BYTES + SIZE_BYTES)
    {
        const uint8_t* const at = here->data;
        const size_t whole = HEAD_BYTES + ((size_t)at[2] << 8 | at[3]);
        const size_t parameters = (size_t)at[4] << 8 | at[5];
        if (HEAD_BYTES + SIZE_BYTES + parameters > whole)
        {
            return NGTCP2_ERR_CRYPTO;
        }
        if (here->size < whole)
        {
            break;
        }
        const int status = take(conn, at[0], at + HEAD_BYTES + SIZE_BYTES, parameters);
        if (status)
        {
            return status;
        }
        here->size -= whole;
        memmove(here->data, here->data + whole, here->size);
    }
    return 0;
}

static int
encrypt(uint8_t* to,
        const ngtcp2_crypto_aead* aead,
        const ngtcp2_crypto_aead_ctx* context,
        const uint8_t* plain,
        size_t size,
        const uint8_t* nonce,
        size_t nonce_size,
        const uint8_t* header,
        size_t header_size)
{
    (void)aead, (void)context, (void)nonce, (void)nonce_size, (void)header, (void)header_size;
    memmove(to, plain, size);
    memset(to + size, 0, TAG_BYTES);
    return 0;
}

static int
decrypt(uint8_t* to,
        const ngtcp2_crypto_aead* aead,
        const ngtcp2_crypto_aead_ctx* context,
        const uint8_t* cipher,
        size_t size,
        const uint8_t* nonce,
        size_t nonce_size,
        const uint8_t* header,
        size_t header_size)
{
    (void)aead, (void)context, (void)nonce, (void)nonce_size, (void)header, (void)header_size;
    if (size < TAG_BYTES)
    {
        return NGTCP2_ERR_DECRYPT;
    }
    memmove(to, cipher, size - TAG_BYTES);
    return 0;
}

static int
mask_header(uint8_t* to,
            const ngtcp2_crypto_cipher* cipher,
            const ngtcp2_crypto_cipher_ctx* context,
            const uint8_t* sample)
{
    (void)cipher, (void)context, (void)sample;
    memset(to, 0, NGTCP2_HP_MASKLEN);
    return 0;
}

static int
take_retry(ngtcp2_conn* conn, const ngtcp2_pkt_hd* head, void* user_data)
{
    (void)conn, (void)head, (void)user_data;
    return NGTCP2_ERR_CALLBACK_FAILURE;
}

static int
update_key(ngtcp2_conn* conn,
           uint8_t* rx_secret,
           uint8_t* tx_secret,
           ngtcp2_crypto_aead_ctx* rx_context,
           uint8_t* rx_iv,
           ngtcp2_crypto_aead_ctx* tx_context,
           uint8_t* tx_iv,
           const uint8_t* rx_before,
           const uint8_t* tx_before,
           size_t secret_size,
           void* user_data)
{
    (void)conn, (void)rx_before, (void)tx_before, (void)user_data;
    /* The library prepares the next keys at once, but no key is ever used up. */
    memset(rx_secret, 0, secret_size);
    memset(tx_secret, 0, secret_size);
    memset(rx_iv, 0, IV_BYTES);
    memset(tx_iv, 0, IV_BYTES);
    *rx_context = NO_KEY;
    *tx_context = NO_KEY;
    return 0;
}

static void
delete_key(ngtcp2_conn* conn, ngtcp2_crypto_aead_ctx* context, void* user_data)
{
    (void)conn, (void)context, (void)user_data;
}

static void
delete_header_key(ngtcp2_conn* conn, ngtcp2_crypto_cipher_ctx* context, void* user_data)
{
    (void)conn, (void)context, (void)user_data;
}

void
handshake_set_callbacks(ngtcp2_callbacks* callbacks)
{
    callbacks->client_initial = begin_as_client;
    callbacks->recv_client_initial = begin_as_server;
    callbacks->recv_crypto_data = receive;
    callbacks->encrypt = encrypt;
    callbacks->decrypt = decrypt;
    callbacks->hp_mask = mask_header;
    callbacks->recv_retry = take_retry;
    callbacks->update_key = update_key;
    callbacks->delete_crypto_aead_ctx = delete_key;
    callbacks->delete_crypto_cipher_ctx = delete_header_key;
}
