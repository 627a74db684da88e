// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_TABLE_H
#define TCPSWEEP_TABLE_H

#include "columns.h"
#include "ends.h"
#include "packet.h"

#include <cstdint>
#include <optional>

namespace tcpsweep
{

/// A block of the table of packets.
class Table
{
  public:
    /// @param rows the most rows of the block
    explicit Table(size_t rows);

    /**
     * @param time_ns a frame's time, if it has one
     * @param interface the file's interface that captured it
     * @param packet its content
     * @param index numbers the block's addresses
     */
    void Append(std::optional<int64_t> time_ns,
                uint32_t interface,
                const Packet& packet,
                EndsIndex& index);

    /// @return rows so far
    size_t
    Size() const
    {
        return m_size;
    }

    /**
     * @param index the index that numbered the block's addresses
     * @param[out] schema the columns' types, as a struct's
     * @param[out] array the columns, as a struct's
     */
    void HandOver(const EndsIndex& index, ArrowSchema& schema, ArrowArray& array);

  private:
    size_t m_size{0};                           //!< rows so far
    Numbers<Nanoseconds> m_time_s;              //!< time
    Numbers<int32_t> m_interface;               //!< the interface's number in the file
    Numbers<int32_t> m_flow;                    //!< the flow's number, -1 for none
    OptionalNumbers<uint8_t> m_isAck;           //!< 1 on the way to the flow's sender, 0 from there
    Texts m_source;                             //!< source address
    OptionalNumbers<int32_t> m_sourcePort;      //!< source port
    Texts m_destination;                        //!< destination address
    OptionalNumbers<int32_t> m_destinationPort; //!< destination port
    Numbers<uint8_t> m_protocol;                //!< the transport protocol
    Numbers<uint8_t> m_ttl;                     //!< time to live
    OptionalNumbers<uint16_t> m_ipId;           //!< identification
    Numbers<uint8_t> m_ecn;                     //!< ECN bits
    Numbers<int64_t> m_wireBytes;               //!< the frame's length
    Numbers<int64_t> m_capturedBytes;           //!< the captured bytes of the frame
    OptionalNumbers<uint8_t> m_retry;           //!< 1 for a retransmitted frame, else 0
    Numbers<int64_t> m_ipBytes;                 //!< the IP packet's length
    OptionalNumbers<int64_t> m_payloadBytes;    //!< the payload's length
    OptionalNumbers<int64_t> m_seq;             //!< sequence number
    OptionalNumbers<int64_t> m_ack;             //!< acknowledgement number
    OptionalNumbers<uint16_t> m_flags;          //!< flags
    OptionalNumbers<int32_t> m_window;          //!< window
    OptionalNumbers<uint16_t> m_mss;            //!< maximum segment size option
    OptionalNumbers<uint8_t> m_sackPermitted;   //!< 1 where SACK is permitted
    OptionalNumbers<uint8_t> m_windowScale;     //!< window scale option
    OptionalNumbers<int64_t> m_tsval;           //!< timestamp
    OptionalNumbers<int64_t> m_tsecr;           //!< echoed timestamp
    Lists m_sackLeft;                           //!< left edges
    Lists m_sackRight;                          //!< right edges
};

} // namespace tcpsweep

#endif // TCPSWEEP_TABLE_H
