// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_PCAP_FILE_H
#define TCPSWEEP_PCAP_FILE_H

#include "capture-file.h"

#include <string_view>

namespace tcpsweep
{

/**
 * A pcap file with microseconds or nanoseconds, in either byte order. The format is described in
 * draft-ietf-opsawg-pcap.
 */
class PcapFile : public CaptureFile
{
  public:
    /// @return whether a file that begins with these bytes is a pcap file, judging by four bytes
    static bool IsOne(std::string_view begin);

    /**
     * Read the file's header.
     *
     * @param blocks the file, at its beginning
     * @throws Damage if there is no such header
     */
    explicit PcapFile(FileBlocks blocks);

    bool Next(Frame& frame) override;

    bool
    HasOneInterface() const override
    {
        return true;
    }

  private:
    /**
     * @param data four bytes
     * @return their number in the file's byte order
     */
    uint32_t Number(const uint8_t* data) const;

    FileBlocks m_blocks;          //!< the file
    bool m_swapped{false};        //!< whether the file's byte order differs from this machine's
    uint32_t m_ticksPerSecond{0}; //!< the unit of the times
};

} // namespace tcpsweep

#endif // TCPSWEEP_PCAP_FILE_H
