// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_CAPTURE_H
#define TCPSWEEP_CAPTURE_H

#include "arrow.h"
#include "capture-file.h"
#include "ends.h"
#include "packet.h"

#include <cstdint>
#include <optional>
#include <string>

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
    Capture(CaptureFile::Read read, Flows flows);

    ~Capture();
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

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

    CaptureFile m_file;           //!< the file
    Decoder m_decoder;            //!< its frames' decoder
    EndsIndex m_index;            //!< the addresses and flows
    uint64_t m_frames{0};         //!< how many there were
    uint64_t m_rows{0};           //!< rows of all blocks
    uint64_t m_cut{0};            //!< of them with headers cut off
    uint64_t m_headless{0};       //!< frames that end within their link's or IP's header
    std::optional<Fault> m_fault; //!< why it ended early
    ArrowSchema m_schema{};       //!< the last block's types
    ArrowArray m_array{};         //!< the last block's columns
    std::string m_summary;        //!< the last summary
};

} // namespace tcpsweep

#endif // TCPSWEEP_CAPTURE_H
