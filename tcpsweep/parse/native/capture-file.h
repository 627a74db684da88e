// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_CAPTURE_FILE_H
#define TCPSWEEP_CAPTURE_FILE_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace tcpsweep
{

/// A packet as a capture has it: the bytes of its frame, or the first of them.
struct Frame
{
    int64_t time_ns;     //!< when
    const uint8_t* data; //!< the bytes, until the next frame is read
    uint32_t captured;   //!< how many there are
    uint32_t length;     //!< how many the frame had
    uint64_t offset;     //!< where they are in the file
};

/**
 * A pcap file, read from its begin to its end in blocks: microseconds or nanoseconds, in either
 * byte order. The format is that of draft-ietf-opsawg-pcap.
 */
class CaptureFile
{
  public:
    /// Reads up to a number of bytes to a place and returns how many, 0 at the end; throws
    /// std::system_error.
    using Read = std::function<size_t(uint8_t*, size_t)>;

    /**
     * Read the file's header.
     *
     * @param read where the bytes come from
     * @throws Damage where this is no pcap file
     */
    explicit CaptureFile(Read read);

    /// @return what the frames are, a number of the registry of link types
    uint32_t
    LinkType() const
    {
        return m_linkType;
    }

    /**
     * @param[out] frame the next one
     * @return whether there is one
     * @throws Damage where the rest of the file is not a frame
     */
    bool Next(Frame& frame);

  private:
    /**
     * Have a number of bytes in memory, if the file has as many.
     *
     * @param count how many, at most the longest record's
     * @return how many there are, perhaps more
     */
    size_t Fill(size_t count);

    /**
     * @param data four bytes
     * @return the number that they are in the file's byte order
     */
    uint32_t Number(const uint8_t* data) const;

    Read m_read;                        //!< where the bytes come from
    std::unique_ptr<uint8_t[]> m_block; //!< a part of the file
    size_t m_begin{0};                  //!< where the part begins that was not handed out yet
    size_t m_end{0};                    //!< to here
    uint64_t m_offset{0};               //!< where that begins in the file
    bool m_swapped{false};              //!< whether the byte order is not this machine's
    uint32_t m_ticksPerSecond{0};       //!< of the times
    uint32_t m_mostCaptured{0};         //!< the longest that a frame's bytes can be
    uint32_t m_linkType{0};             //!< what the frames are
};

} // namespace tcpsweep

#endif // TCPSWEEP_CAPTURE_FILE_H
