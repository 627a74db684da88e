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

/// The most bytes of a frame that a capture has: what libpcap and Wireshark take for the most, too.
constexpr uint32_t MOST_CAPTURED = 256 * 1024;

/// A packet as a capture has it: the bytes of its frame, or the first of them.
struct Frame
{
    int64_t time_ns;     //!< when
    const uint8_t* data; //!< the bytes, until the next frame is read
    uint32_t captured;   //!< how many there are
    uint32_t length;     //!< how many the frame had
    uint64_t offset;     //!< where they are in the file
    uint32_t interface;  //!< which of the file's interfaces it was captured at
    bool hasTime;        //!< whether the file says when, or that is a time that can be
    bool hasOddTime;     //!< whether the part of a second is a second or more
};

/// Where frames were captured.
struct Interface
{
    uint32_t linkType; //!< what the frames are, a number of the registry of link types
    std::string name;  //!< as the file calls it, if it does
};

/// A file of captured frames, read from its begin to its end.
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
     * @throws Damage where the rest of the file is not a frame
     */
    virtual bool Next(Frame& frame) = 0;

    /// @return the interfaces that the file has told of so far
    const std::vector<Interface>&
    Interfaces() const
    {
        return m_interfaces;
    }

    /// @return whether all frames are of one interface, which the file's begin tells of
    virtual bool HasOneInterface() const = 0;

  protected:
    std::vector<Interface> m_interfaces; //!< those that the file has told of so far
};

/**
 * Open a capture, in whichever of the known formats it is.
 *
 * @param read where the bytes come from
 * @return the capture
 * @throws Damage where it is in none of them
 */
std::unique_ptr<CaptureFile> OpenCaptureFile(FileBlocks::Read read);

} // namespace tcpsweep

#endif // TCPSWEEP_CAPTURE_FILE_H
