// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_OUTPUT_FILES_H
#define TCPSWEEP_OUTPUT_FILES_H

#include "network/direction.h"
#include "output/row-file.h"
#include "traces/capture.h"

#include <filesystem>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace tcpsweep
{

/// The row files of one simulation.
class OutputFiles
{
  public:
    /**
     * @param capture which files to make, and where
     * @param directions the bottleneck's directions that are traced
     * @throws OutputError
     */
    OutputFiles(const Capture& capture, const std::vector<Direction>& directions);

    /**
     * @param name a per-flow trace's name
     * @return its file; nullptr if it is not requested
     */
    RowFile* Trace(const std::string& name);

    /**
     * @param direction a direction of the bottleneck
     * @return its queue's file; nullptr if it is not requested
     */
    RowFile* Queue(Direction direction);

    /**
     * @param write writes last rows, called once before the files are closed
     */
    void BeforeClose(std::function<void()> write);

    /**
     * Write what is left and close the files.
     *
     * @throws OutputError
     */
    void Close();

    /// @return rows of each file, by its name
    std::map<std::string, uint64_t> Rows() const;

  private:
    /**
     * @param name a file's name
     * @return the file; nullptr if there is none
     */
    RowFile* Find(const std::string& name);

    std::map<std::string, RowFile> m_files;           //!< files by name
    std::vector<std::function<void()>> m_beforeClose; //!< write last rows
};

/**
 * Write a file so that it exists whole or not at all.
 *
 * @param path the file
 * @param write writes its content
 * @throws OutputError
 */
void WriteWhole(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

} // namespace tcpsweep

#endif // TCPSWEEP_OUTPUT_FILES_H
