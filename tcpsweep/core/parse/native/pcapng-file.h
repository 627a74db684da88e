// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_PCAPNG_FILE_H
#define TCPSWEEP_PCAPNG_FILE_H

#include "capture-file.h"

#include <string_view>
#include <vector>

namespace tcpsweep
{

/**
 * A pcapng file: any number of sections, each with its own byte order and interfaces. Each
 * interface has its own link type and unit of time. The format is described in
 * draft-ietf-opsawg-pcapng.
 */
class PcapngFile : public CaptureFile
{
  public:
    /// @return whether a file that begins with these bytes is a pcapng file
    static bool IsOne(std::string_view begin);

    /**
     * Read the file's first block.
     *
     * @param blocks the file, at its beginning
     * @throws Damage if that block is not a section header
     */
    explicit PcapngFile(FileBlocks blocks);

    bool Next(Frame& frame) override;

    bool
    HasOneInterface() const override
    {
        return false;
    }

  private:
    /// The settings for reading an interface's frames.
    struct Clock
    {
        uint8_t resolution{6};    //!< if_tsresol: ticks per second, as a power of 10 or 2
        int64_t offset_s{0};      //!< if_tsoffset: the seconds to add to all times
        uint32_t mostCaptured{0}; //!< the most captured bytes of a frame, 0 for no limit
    };

    /**
     * Skip the rest of the last block and check its end.
     *
     * @throws Damage
     */
    void EndBlock();

    /// Read a section's header, which has the section's byte order. @throws Damage
    void ReadSection();

    /// Read an interface's description. @throws Damage
    void ReadInterface();

    /**
     * Read an interface's options.
     *
     * @param data the options
     * @param size their number of bytes
     * @param offset their offset in the file
     * @throws Damage
     */
    void ReadOptions(const uint8_t* data, size_t size, uint64_t offset);

    /**
     * Read a packet's block.
     *
     * @param type its kind, one of three
     * @param[out] frame the packet
     * @throws Damage
     */
    void ReadPacket(uint32_t type, Frame& frame);

    /**
     * Read the beginning of the current block into memory.
     *
     * @param count the number of bytes
     * @throws Damage if the file or the block has fewer
     */
    void Need(size_t count);

    /// @return the number in two bytes in the section's byte order
    uint16_t Number16(const uint8_t* data) const;

    /// @return the number in four bytes in the section's byte order
    uint32_t Number32(const uint8_t* data) const;

    FileBlocks m_blocks;         //!< the file
    std::vector<Clock> m_clocks; //!< the interfaces' settings
    size_t m_first{0};           //!< the number of the section's first interface
    bool m_swapped{false};       //!< whether the byte order differs from this machine's
    uint64_t m_begin{0};         //!< the offset of the current block
    uint32_t m_length{0};        //!< the length in its header, 0 before the first block
    uint32_t m_taken{0};         //!< the bytes of it that have been read
};

} // namespace tcpsweep

#endif // TCPSWEEP_PCAPNG_FILE_H
