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

/// A capture on its way to a table.
class Capture
{
  public:
    /**
     * @param read where the file's bytes come from
     * @param flows the flows whose packets are to be recognised
     * @throws Damage where the file is no capture that can be read
     */
    Capture(FileBlocks::Read read, Flows flows);

    ~Capture();
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    /// @return when the first frame that has a time was captured; none is left to be decoded then
    std::optional<int64_t> FirstTime();

    /// @param base_ns what is taken from all times from now on
    void
    SetBase(int64_t base_ns)
    {
        m_base_ns = base_ns;
    }

    /**
     * Decode until a block is full or the file ends, or is damaged: the summary tells.
     *
     * @param rows the most rows of the block
     * @return how many it has
     */
    size_t Next(size_t rows);

    /// @return the last block's types, unless somebody took them
    ArrowSchema&
    Schema()
    {
        return m_schema;
    }

    /// @return the last block's columns, unless somebody took them
    ArrowArray&
    Array()
    {
        return m_array;
    }

    /// @return what there was so far, in JSON
    const std::string& Summary();

  private:
    /// What is wrong with the file, and where.
    struct Fault
    {
        uint64_t offset;  //!< where
        std::string what; //!< what
    };

    /// Release the last block.
    void ReleaseBlock();

    /**
     * @param frame a frame
     * @param[out] packet what it holds
     * @return what became of it
     */
    Decoded Decode(const Frame& frame, Packet& packet);

    /// @return the frame's time from the base on, nothing where there is none that the table can
    /// hold
    std::optional<int64_t> TimeOf(const Frame& frame);

    /// A frame contradicts itself: count it, and keep the first one's place.
    void Note(const Damage& damage);

    std::unique_ptr<CaptureFile> m_file; //!< the file
    std::vector<std::unique_ptr<Decoder>>
        m_decoders;                         //!< those of its interfaces, null where none fits
    std::map<uint32_t, uint64_t> m_unknown; //!< frames of link types that cannot be read
    EndsIndex m_index;                      //!< the addresses and flows
    int64_t m_base_ns{0};                   //!< what is taken from all times
    uint64_t m_frames{0};                   //!< how many there were
    uint64_t m_rows{0};                     //!< rows of all blocks
    uint64_t m_cut{0};                      //!< of them with headers cut off
    uint64_t m_headless{0};                 //!< frames without a whole header of link and IP
    uint64_t m_damaged{0};                  //!< frames that contradict themselves
    std::optional<Fault> m_firstDamaged;    //!< the first of them
    std::optional<Fault> m_fault;           //!< why it ended early
    ArrowSchema m_schema{};                 //!< the last block's types
    ArrowArray m_array{};                   //!< the last block's columns
    std::string m_summary;                  //!< the last summary
};

} // namespace tcpsweep

#endif // TCPSWEEP_CAPTURE_H
