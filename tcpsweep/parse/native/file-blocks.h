// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_FILE_BLOCKS_H
#define TCPSWEEP_FILE_BLOCKS_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace tcpsweep
{

/// A file read from its begin to its end, a block of it in memory.
class FileBlocks
{
  public:
    /// Reads up to a number of bytes to a place and returns how many, 0 at the end; throws
    /// std::system_error.
    using Read = std::function<size_t(uint8_t*, size_t)>;

    static constexpr size_t BLOCK_BYTES = 1024 * 1024; //!< the most that can be in memory

    /// @param read where the bytes come from
    explicit FileBlocks(Read read);

    /**
     * Have a number of bytes in memory, if the file has as many.
     *
     * @param count how many, at most `BLOCK_BYTES`
     * @return how many there are, perhaps more
     */
    size_t Fill(size_t count);

    /// @return the bytes that come next, as many as `Fill` had in memory, until it is called again
    const uint8_t*
    Data() const
    {
        return m_block.get() + m_begin;
    }

    /// @return where they are in the file
    uint64_t
    Offset() const
    {
        return m_offset;
    }

    /// @param count how many of the bytes in memory are done with
    void
    Take(size_t count)
    {
        m_begin += count;
        m_offset += count;
    }

    /**
     * @param count how many bytes are passed over, in memory or not
     * @return whether the file has as many
     */
    bool Skip(uint64_t count);

  private:
    Read m_read;                        //!< where the bytes come from
    std::unique_ptr<uint8_t[]> m_block; //!< a part of the file
    size_t m_begin{0};                  //!< where the part begins that is not done with
    size_t m_end{0};                    //!< to here
    uint64_t m_offset{0};               //!< where that begins in the file
};

} // namespace tcpsweep

#endif // TCPSWEEP_FILE_BLOCKS_H
