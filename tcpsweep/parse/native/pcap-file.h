// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_PCAP_FILE_H
#define TCPSWEEP_PCAP_FILE_H

#include "capture-file.h"

#include <string_view>

namespace tcpsweep
{

/**
 * A pcap file: microseconds or nanoseconds, in either byte order. The format is that of
 * draft-ietf-opsawg-pcap.
 */
class PcapFile : public CaptureFile
{
  public:
    /// @return whether a file with this begin is one, as far as four bytes tell
    static bool IsOne(std::string_view begin);

    /**
     * Read the file's header.
     *
     * @param blocks the file, at its begin
     * @throws Damage where the header is none
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
     * @return the number that they are in the file's byte order
     */
    uint32_t Number(const uint8_t* data) const;

    FileBlocks m_blocks;          //!< the file
    bool m_swapped{false};        //!< whether the byte order is not this machine's
    uint32_t m_ticksPerSecond{0}; //!< of the times
};

} // namespace tcpsweep

#endif // TCPSWEEP_PCAP_FILE_H
