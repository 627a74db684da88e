// SPDX-License-Identifier: GPL-2.0-only
#include "traces/output-files.h"

#include "options/errors.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

namespace tcpsweep
{

namespace
{

/**
 * @param name a trace's name
 * @return its file's name
 */
std::string
FileName(const std::string& name)
{
    return name + ".txt";
}

/**
 * @param direction a direction of the bottleneck
 * @return the name of its queue's file
 */
std::string
QueueFileName(Direction direction)
{
    return FileName(direction == Direction::FORWARD ? "queue" : "queue_reverse");
}

} // namespace

OutputFiles::OutputFiles(const Capture& capture, const std::vector<Direction>& directions)
{
    for (const auto& trace : capture.traces)
    {
        m_files.try_emplace(FileName(trace), capture.folder / FileName(trace));
    }
    for (const auto direction : directions)
    {
        if (capture.queue)
        {
            const auto name = QueueFileName(direction);
            m_files.try_emplace(name, capture.folder / name);
        }
    }
}

RowFile*
OutputFiles::Trace(const std::string& name)
{
    return Find(FileName(name));
}

RowFile*
OutputFiles::Queue(Direction direction)
{
    return Find(QueueFileName(direction));
}

RowFile*
OutputFiles::Find(const std::string& name)
{
    const auto found = m_files.find(name);
    return found == m_files.end() ? nullptr : &found->second;
}

void
OutputFiles::BeforeClose(std::function<void()> write)
{
    m_beforeClose.push_back(std::move(write));
}

void
OutputFiles::Close()
{
    for (const auto& write : m_beforeClose)
    {
        write();
    }
    for (auto& [name, file] : m_files)
    {
        file.Close();
    }
}

std::map<std::string, uint64_t>
OutputFiles::Rows() const
{
    std::map<std::string, uint64_t> rows;
    for (const auto& [name, file] : m_files)
    {
        rows[name] = file.Rows();
    }
    return rows;
}

void
WriteWhole(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write)
{
    auto unfinished = path;
    unfinished += ".tmp";
    errno = 0;
    std::ofstream stream(unfinished);
    write(stream);
    stream.close();
    std::error_code error(errno, std::generic_category());
    if (stream)
    {
        std::filesystem::rename(unfinished, path, error);
    }
    if (!stream || error)
    {
        throw OutputError(path.string() + ": cannot be written: " + error.message());
    }
}

} // namespace tcpsweep
