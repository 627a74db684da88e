// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_CAPTURE_FILE_H
#define TCPSWEEP_CAPTURE_FILE_H

#include "file-blocks.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tcpsweep
{

/// The most captured bytes of a frame, as in libpcap and Wireshark.
constexpr uint32_t MOST_CAPTURED = 256 * 1024;

/// A packet in a capture: the bytes of its frame, or the first bytes.
struct Frame
{
    int64_t time_ns;     //!< the time of the capture
    const uint8_t* data; //!< the bytes, until the next frame is read
    uint32_t captured;   //!< the number of captured bytes
    uint32_t length;     //!< the number of bytes in the frame
    uint64_t offset;     //!< where they are in the file
    uint32_t interface;  //!< the file's interface that captured it
    bool hasTime;        //!< whether the file has its time, and the time is possible
    bool hasOddTime;     //!< whether the fraction of a second is at least a second
};

/// An interface that captured frames.
struct Interface
{
    uint32_t linkType; //!< the frames' link type, a number of pcap's registry
    std::string name;  //!< its name in the file, if it has one
};

/// A file of captured frames, read from beginning to end.
class CaptureFile
{
  public:
    CaptureFile() = default;
    virtual ~CaptureFile() = default;
    CaptureFile(const CaptureFile&) = delete;
    CaptureFile& operator=(const CaptureFile&) = delete;

    /**
     * @param[out] frame the next one
     * @return whether there is one
     * @throws Damage if the rest of the file is not a frame
     */
    virtual bool Next(Frame& frame) = 0;

    /// @return the interfaces that the file has described so far
    const std::vector<Interface>&
    Interfaces() const
    {
        return m_interfaces;
    }

    /// @return whether all frames have the same interface, which the file's header describes
    virtual bool HasOneInterface() const = 0;

  protected:
    std::vector<Interface> m_interfaces; //!< the interfaces described so far
};

/**
 * Open a capture in any of the known formats.
 *
 * @param read reads the file's bytes
 * @return the capture
 * @throws Damage if its format is unknown
 */
std::unique_ptr<CaptureFile> OpenCaptureFile(FileBlocks::Read read);

} // namespace tcpsweep

#endif // TCPSWEEP_CAPTURE_FILE_H
