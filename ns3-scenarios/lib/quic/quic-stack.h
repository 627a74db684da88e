/* SPDX-License-Identifier: MIT */
#ifndef TCPSWEEP_QUIC_STACK_H
#define TCPSWEEP_QUIC_STACK_H

#include <stddef.h>
#include <stdint.h>

/**
 * @file
 * A QUIC stack without input, output and clock, as a shared library for simulations.
 *
 * A simulation loads the library with dlopen() and calls quic_stack(). Times are nanoseconds of the
 * simulation, and never run backwards. After quic_receive, quic_on_timer, quic_write and quic_read,
 * the simulation calls quic_transmit until it returns 0, and then quic_next_timer. One thread calls
 * all functions. With the same seeds and calls, a stack must do the same each time.
 */

#ifdef __cplusplus
extern "C"
{
#endif

/** The version of this interface. */
#define QUIC_STACK_VERSION 1
/** No time, and no value. */
#define QUIC_STACK_NONE UINT64_MAX

    /** One end of a connection, which the stack owns. */
    typedef struct quic_end quic_end;

    /** The settings of an end. */
    typedef struct quic_settings
    {
        uint64_t seed;           /**< of its random numbers */
        const char* control;     /**< its congestion control */
        uint64_t window_bytes;   /**< of flow control, and of the buffer for data to send */
        uint32_t datagram_bytes; /**< payload of the largest UDP datagram, 1200 or more */
        uint32_t is_server; /**< 1 for the end that waits for the other and receives the data */
    } quic_settings;

    /** The state of an end. Sizes are of QUIC packets, with their headers. */
    typedef struct quic_state
    {
        uint64_t is_established;  /**< 1 after the handshake */
        uint64_t is_lost;         /**< 1 after the connection has ended with an error */
        uint64_t cwnd_bytes;      /**< the congestion window */
        uint64_t ssthresh_bytes;  /**< the threshold of slow start; QUIC_STACK_NONE before the first
                                     loss */
        uint64_t in_flight_bytes; /**< sent, and neither acknowledged nor lost */
        uint64_t rtt_ns;          /**< the last round trip; QUIC_STACK_NONE before the first */
        uint64_t smoothed_rtt_ns; /**< the smoothed round trip; QUIC_STACK_NONE before the first */
        uint64_t
            congestion_state;  /**< 0 open; 2, 3, 4 after a mark, a loss, persistent congestion */
        uint64_t lost_bytes;   /**< of packets that were declared lost */
        uint64_t lost_packets; /**< packets that were declared lost */
        uint64_t congestion_events; /**< reductions of the window */
    } quic_state;

    /** A stack. */
    typedef struct quic_stack
    {
        uint32_t version;     /**< QUIC_STACK_VERSION */
        const char* name;     /**< its name and version, such as "noq-proto 1.4.0" */
        const char* controls; /**< its congestion controls, with spaces between */

        /** @return a new end; NULL if the stack lacks the congestion control */
        quic_end* (*open)(const quic_settings* settings, uint64_t now);

        void (*close)(quic_end* end);

        /** Take the payload of a UDP datagram, with the ECN bits of its IP header. */
        void (
            *receive)(quic_end* end, uint64_t now, const uint8_t* data, size_t size, uint32_t ecn);

        /** @return the size of the next UDP payload to send, written to data, with its ECN bits; 0
         * for none */
        size_t (
            *transmit)(quic_end* end, uint64_t now, uint8_t* data, size_t capacity, uint32_t* ecn);

        /** @return when on_timer is to be called; QUIC_STACK_NONE for never */
        uint64_t (*next_timer)(quic_end* end);

        void (*on_timer)(quic_end* end, uint64_t now);

        /**
         * Offer data, whose content does not matter.
         *
         * @return bytes that the stack has taken, 0 before the handshake has ended
         */
        uint64_t (*write)(quic_end* end, uint64_t bytes, uint32_t is_last);

        /** @return bytes that have arrived in order since the last call */
        uint64_t (*read)(quic_end* end);

        void (*state)(quic_end* end, quic_state* state);
    } quic_stack;

    /** The library's only symbol. */
    const quic_stack* tcpsweep_quic_stack(void);

#ifdef __cplusplus
}
#endif

#endif
