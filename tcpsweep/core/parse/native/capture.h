// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_CAPTURE_H
#define TCPSWEEP_CAPTURE_H

#include "arrow.h"
#include "capture-file.h"
#include "damage.h"
#include "ends.h"
#include "packet.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tcpsweep
{

/// A capture that is decoded into a table.
class Capture
{
  public:
    /**
     * @param read reads the file's bytes
     * @param flows the flows whose packets to recognise
     * @throws Damage if the file is not a readable capture
     */
    Capture(FileBlocks::Read read, Flows flows);

    ~Capture();
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    /// @return the time of the first frame with a time; afterwards, no frame can be decoded
    std::optional<int64_t> FirstTime();

    /// @param base_ns the time to subtract from all times from now on
    void
    SetBase(int64_t base_ns)
    {
        m_base_ns = base_ns;
    }

    /**
     * Decode until a block is full, the file ends, or the file is damaged; see the summary.
     *
     * @param rows the most rows of the block
     * @return the number of its rows
     */
    size_t Next(size_t rows);

    /// @return the last block's types, unless they were taken
    ArrowSchema&
    Schema()
    {
        return m_schema;
    }

    /// @return the last block's columns, unless they were taken
    ArrowArray&
    Array()
    {
        return m_array;
    }

    /// @return the counts so far, in JSON
    const std::string& Summary();

  private:
    /// A problem with the file, and its place.
    struct Fault
    {
        uint64_t offset;  //!< the place
        std::string what; //!< the problem
    };

    /// Release the last block.
    void ReleaseBlock();

    /**
     * @param frame a frame
     * @param[out] packet its content
     * @return the outcome
     */
    Decoded Decode(const Frame& frame, Packet& packet);

    /// @return the frame's time relative to the base; nothing if it has none or the table cannot
    /// store it
    std::optional<int64_t> TimeOf(const Frame& frame);

    /// Count an inconsistent frame, and keep the place of the first one.
    void Note(const Damage& damage);

    std::unique_ptr<CaptureFile> m_file; //!< the file
    std::vector<std::unique_ptr<Decoder>>
        m_decoders; //!< its interfaces' decoders, null for unknown link types
    std::map<uint32_t, uint64_t> m_unknown; //!< frames of unknown link types
    EndsIndex m_index;                      //!< the addresses and flows
    int64_t m_base_ns{0};                   //!< the time to subtract from all times
    uint64_t m_frames{0};                   //!< the number of frames
    uint64_t m_rows{0};                     //!< rows of all blocks
    uint64_t m_cut{0};                      //!< rows whose headers are cut off
    uint64_t m_headless{0};                 //!< frames without complete link and IP headers
    uint64_t m_damaged{0};                  //!< inconsistent frames
    std::optional<Fault> m_firstDamaged;    //!< the first inconsistent frame
    std::optional<Fault> m_fault;           //!< why it ended early
    ArrowSchema m_schema{};                 //!< the last block's types
    ArrowArray m_array{};                   //!< the last block's columns
    std::string m_summary;                  //!< the last summary
};

} // namespace tcpsweep

#endif // TCPSWEEP_CAPTURE_H
