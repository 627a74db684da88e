/* SPDX-License-Identifier: MIT */
#ifndef TCPSWEEP_NGTCP2_HANDSHAKE_H
#define TCPSWEEP_NGTCP2_HANDSHAKE_H

#include <ngtcp2/ngtcp2.h>
#include <stdint.h>

/**
 * @file
 * A handshake without cryptography, in the place of TLS.
 *
 * Packets have the sizes that they have with AES-GCM: a tag of 16 bytes, which is zero. The
 * handshake has the messages and round trips of TLS 1.3 (RFC 8446, figure 1) with typical sizes. It
 * has no randomness and almost no cost.
 */

/** Crypto data that have arrived and form no whole message yet. */
typedef struct handshake
{
    uint8_t data[4096];
    size_t size;
} handshake;

/**
 * Set the callbacks that TLS would have.
 *
 * @param callbacks the callbacks
 */
void handshake_set_callbacks(ngtcp2_callbacks* callbacks);

/**
 * @param user_data a connection's user data
 * @return its handshake
 */
handshake* handshake_of(void* user_data);

#endif
