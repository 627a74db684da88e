// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_FILE_BLOCKS_H
#define TCPSWEEP_FILE_BLOCKS_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace tcpsweep
{

/// A file that is read from beginning to end, with one block in memory.
class FileBlocks
{
  public:
    /// Reads up to a number of bytes into a buffer and returns their number, 0 at the end; throws
    /// std::system_error.
    using Read = std::function<size_t(uint8_t*, size_t)>;

    static constexpr size_t BLOCK_BYTES = 1024 * 1024; //!< the most that can be in memory

    /// @param read reads the file's bytes
    explicit FileBlocks(Read read);

    /**
     * Read a number of bytes into memory, if the file has them.
     *
     * @param count the number of bytes, at most `BLOCK_BYTES`
     * @return the number of bytes in memory, perhaps more
     */
    size_t Fill(size_t count);

    /// @return the next bytes, as many as `Fill` returned, until it is called again
    const uint8_t*
    Data() const
    {
        return m_block.get() + m_begin;
    }

    /// @return their offset in the file
    uint64_t
    Offset() const
    {
        return m_offset;
    }

    /// @param count the number of bytes in memory that are no longer needed
    void
    Take(size_t count)
    {
        m_begin += count;
        m_offset += count;
    }

    /**
     * @param count the number of bytes to skip, in memory or not
     * @return whether the file has them
     */
    bool Skip(uint64_t count);

  private:
    Read m_read;                        //!< reads the file's bytes
    std::unique_ptr<uint8_t[]> m_block; //!< a part of the file
    size_t m_begin{0};                  //!< where the unread bytes begin
    size_t m_end{0};                    //!< where they end
    uint64_t m_offset{0};               //!< their offset in the file
};

} // namespace tcpsweep

#endif // TCPSWEEP_FILE_BLOCKS_H
