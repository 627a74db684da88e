// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_PACKETS_H
#define TCPSWEEP_PACKETS_H

#include "arrow.h"

#include <cstddef>
#include <cstdint>

/**
 * @file
 * The library's interface: a capture file in, blocks of the table of packets out. No call lets an
 * exception out.
 */

#define TCPSWEEP_EXPORT __attribute__((visibility("default")))

namespace tcpsweep
{

class Capture;

} // namespace tcpsweep

extern "C"
{
    /// A flow whose packets are to be recognised.
    struct TcpsweepFlow
    {
        int32_t number;           //!< what it is called
        uint8_t protocol;         //!< 6 TCP, 17 UDP
        uint16_t sourcePort;      //!< the sender's port
        uint16_t destinationPort; //!< the receiver's port
        const char* source;       //!< the sender's address
        const char* destination;  //!< the receiver's address
    };

    /**
     * Open a capture.
     *
     * @param descriptor of a file that stays open until the capture is closed
     * @param flows the flows
     * @param count how many
     * @param[out] message what is wrong where null is returned: "offset N: ..." if it is the file's
     * begin, else a flow, or the system's word
     * @param size of the message's place
     * @return the capture, or null
     */
    TCPSWEEP_EXPORT tcpsweep::Capture* tcpsweep_capture_open(int descriptor,
                                                             const TcpsweepFlow* flows,
                                                             size_t count,
                                                             char* message,
                                                             size_t size);

    /**
     * Look when the first frame that has a time was captured.
     *
     * @param capture the capture, of which nothing can be decoded afterwards
     * @param[out] time_ns the time in ns
     * @return 1, 0 where none has a time, less than 0 is minus an error number of the system
     */
    TCPSWEEP_EXPORT int tcpsweep_capture_first(tcpsweep::Capture* capture, int64_t* time_ns);

    /**
     * @param capture the capture
     * @param base_ns what is taken from all times
     */
    TCPSWEEP_EXPORT void tcpsweep_capture_base(tcpsweep::Capture* capture, int64_t base_ns);

    /**
     * Decode the next block.
     *
     * @param capture the capture
     * @param rows the most that it may have
     * @return how many it has; fewer than asked for only at the end, less than 0 is minus an error
     * number of the system
     */
    TCPSWEEP_EXPORT int64_t tcpsweep_capture_next(tcpsweep::Capture* capture, size_t rows);

    /// @return the last block's types, which the caller may take until the next call for the
    /// capture
    TCPSWEEP_EXPORT ArrowSchema* tcpsweep_capture_schema(tcpsweep::Capture* capture);

    /// @return the last block's columns, which the caller may take until the next call for the
    /// capture
    TCPSWEEP_EXPORT ArrowArray* tcpsweep_capture_array(tcpsweep::Capture* capture);

    /// @return what there was so far, in JSON, until the next call for the capture
    TCPSWEEP_EXPORT const char* tcpsweep_capture_summary(tcpsweep::Capture* capture);

    /// @param capture ends here
    TCPSWEEP_EXPORT void tcpsweep_capture_close(tcpsweep::Capture* capture);
}

#endif // TCPSWEEP_PACKETS_H
