// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_PACKETS_H
#define TCPSWEEP_PACKETS_H

#include "arrow.h"

#include <cstddef>
#include <cstdint>

/**
 * @file
 * The library's interface: it reads a capture file and returns blocks of the table of packets. No
 * function throws an exception.
 */

#define TCPSWEEP_EXPORT __attribute__((visibility("default")))

namespace tcpsweep
{

class Capture;

} // namespace tcpsweep

extern "C"
{
    /// A flow whose packets to recognise.
    struct TcpsweepFlow
    {
        int32_t number;           //!< its number in the table
        uint8_t protocol;         //!< 6 TCP, 17 UDP, 0 both, at any ports
        uint16_t sourcePort;      //!< the sender's port, 0 for any
        uint16_t destinationPort; //!< the receiver's port, 0 for any
        const char* source;       //!< the sender's address
        const char* destination;  //!< the receiver's address
    };

    /**
     * Open a capture.
     *
     * @param descriptor the descriptor of a file that stays open until the capture is closed
     * @param flows the flows
     * @param count the number of flows
     * @param[out] message the problem if null is returned: "offset N: ..." for the beginning of the
     * file, else a message about a flow or from the system
     * @param size the size of the message's buffer
     * @return the capture, or null
     */
    TCPSWEEP_EXPORT tcpsweep::Capture* tcpsweep_capture_open(int descriptor,
                                                             const TcpsweepFlow* flows,
                                                             size_t count,
                                                             char* message,
                                                             size_t size);

    /**
     * Find the time of the first frame with a time.
     *
     * @param capture the capture, which cannot be decoded afterwards
     * @param[out] time_ns the time in ns
     * @return 1; 0 if no frame has a time; a negative error number of the system
     */
    TCPSWEEP_EXPORT int tcpsweep_capture_first(tcpsweep::Capture* capture, int64_t* time_ns);

    /**
     * @param capture the capture
     * @param base_ns the time to subtract from all times
     */
    TCPSWEEP_EXPORT void tcpsweep_capture_base(tcpsweep::Capture* capture, int64_t base_ns);

    /**
     * Decode the next block.
     *
     * @param capture the capture
     * @param rows the most rows that it may have
     * @return the number of its rows, less than requested only at the end; or a negative error
     * number of the system
     */
    TCPSWEEP_EXPORT int64_t tcpsweep_capture_next(tcpsweep::Capture* capture, size_t rows);

    /// @return the last block's types, which the caller may take until the next call for the
    /// capture
    TCPSWEEP_EXPORT ArrowSchema* tcpsweep_capture_schema(tcpsweep::Capture* capture);

    /// @return the last block's columns, which the caller may take until the next call for the
    /// capture
    TCPSWEEP_EXPORT ArrowArray* tcpsweep_capture_array(tcpsweep::Capture* capture);

    /// @return the counts so far, in JSON, valid until the next call for the capture
    TCPSWEEP_EXPORT const char* tcpsweep_capture_summary(tcpsweep::Capture* capture);

    /// @param capture the capture to close
    TCPSWEEP_EXPORT void tcpsweep_capture_close(tcpsweep::Capture* capture);
}

#endif // TCPSWEEP_PACKETS_H
