// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_PCAPNG_FILE_H
#define TCPSWEEP_PCAPNG_FILE_H

#include "capture-file.h"

#include <string_view>
#include <vector>

namespace tcpsweep
{

/**
 * A pcapng file: any number of sections, each in its own byte order and with its own interfaces,
 * each of these with its own link type and unit of time. The format is that of
 * draft-ietf-opsawg-pcapng.
 */
class PcapngFile : public CaptureFile
{
  public:
    /// @return whether a file with this begin is one
    static bool IsOne(std::string_view begin);

    /**
     * Read the file's first block.
     *
     * @param blocks the file, at its begin
     * @throws Damage where that block is not a section's
     */
    explicit PcapngFile(FileBlocks blocks);

    bool Next(Frame& frame) override;

    bool
    HasOneInterface() const override
    {
        return false;
    }

  private:
    /// How an interface's frames are to be read.
    struct Clock
    {
        uint8_t resolution{6};    //!< if_tsresol: a second's parts, as a power of 10, or of 2
        int64_t offset_s{0};      //!< if_tsoffset: what is added to all times
        uint32_t mostCaptured{0}; //!< the longest that a frame's bytes are, 0 for any
    };

    /**
     * Pass over the rest of the last block and check its end.
     *
     * @throws Damage
     */
    void EndBlock();

    /// Read a section's header, with the byte order of what follows. @throws Damage
    void ReadSection();

    /// Read an interface's description. @throws Damage
    void ReadInterface();

    /**
     * Read an interface's options.
     *
     * @param data the options
     * @param size how many bytes they have
     * @param offset where they are in the file
     * @throws Damage
     */
    void ReadOptions(const uint8_t* data, size_t size, uint64_t offset);

    /**
     * Read a packet's block.
     *
     * @param type which of the three kinds
     * @param[out] frame the packet
     * @throws Damage
     */
    void ReadPacket(uint32_t type, Frame& frame);

    /**
     * Have the begin of the block in memory that is read.
     *
     * @param count how many bytes of it
     * @throws Damage where the file, or the block, has fewer
     */
    void Need(size_t count);

    /// @return the number that two bytes are in the section's byte order
    uint16_t Number16(const uint8_t* data) const;

    /// @return the number that four bytes are in the section's byte order
    uint32_t Number32(const uint8_t* data) const;

    FileBlocks m_blocks;         //!< the file
    std::vector<Clock> m_clocks; //!< those of the interfaces
    size_t m_first{0};           //!< the number of the section's first interface
    bool m_swapped{false};       //!< whether the section's byte order is not this machine's
    uint64_t m_begin{0};         //!< where the block begins that is read
    uint32_t m_length{0};        //!< how long it says that it is, 0 before the first
    uint32_t m_taken{0};         //!< how much of it is done with
};

} // namespace tcpsweep

#endif // TCPSWEEP_PCAPNG_FILE_H
