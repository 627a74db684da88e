// SPDX-License-Identifier: GPL-2.0-only
#include "output/output-file.h"

#include "options/errors.h"
#include "output/crc32.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

namespace tcpsweep
{

namespace
{

/// The buffer size for small writes.
constexpr std::size_t BUFFER_BYTES = 1 << 16;

/**
 * @param path a file that failed
 * @param error errno
 */
[[noreturn]] void
FailToWrite(const std::filesystem::path& path, int error)
{
    throw OutputError(path.string() + ": cannot be written: " + std::strerror(error));
}

/**
 * @param path a file
 * @return its path until it is complete
 */
std::filesystem::path
Unfinished(std::filesystem::path path)
{
    path += ".tmp";
    return path;
}

/**
 * @param path a whole file, which still lies at its unfinished path
 */
void
Finish(const std::filesystem::path& path)
{
    if (std::rename(Unfinished(path).c_str(), path.c_str()))
    {
        FailToWrite(path, errno);
    }
}

} // namespace

void
Checksums::Add(const OutputFile& file)
{
    auto name = file.Path().filename();
    if (name.extension() == ".tmp")
    {
        name = name.stem();
    }
    AddLine(name.string(), file.Crc(), file.Bytes());
}

void
Checksums::Add(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    std::vector<char> piece(BUFFER_BYTES);
    uint32_t crc = 0;
    uint64_t bytes = 0;
    while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount())
    {
        const auto size = static_cast<std::size_t>(file.gcount());
        crc = Crc32(crc, piece.data(), size);
        bytes += size;
    }
    if (!file.eof())
    {
        throw OutputError(path.string() + ": cannot be read: " + std::strerror(errno));
    }
    AddLine(path.filename().string(), crc, bytes);
}

void
Checksums::AddLine(const std::string& name, uint32_t crc, uint64_t bytes)
{
    char text[32];
    std::snprintf(text, sizeof text, "%08" PRIx32 " %" PRIu64, crc, bytes);
    m_lines[name] = std::string(text) + " " + name + "\n";
}

void
Checksums::Write(const std::filesystem::path& path) const
{
    OutputFile file(Unfinished(path));
    for (const auto& [name, line] : m_lines)
    {
        file.Write(line.data(), line.size());
    }
    file.Close();
    Finish(path);
}

bool OutputFile::m_dropsWritten = false;

void
OutputFile::DropWritten()
{
    m_dropsWritten = true;
}

OutputFile::OutputFile(const std::filesystem::path& path)
    : m_path(path),
      m_buffer(BUFFER_BYTES),
      m_descriptor(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666))
{
    if (m_descriptor < 0)
    {
        FailToWrite(m_path, errno);
    }
}

OutputFile::~OutputFile()
{
    if (m_descriptor >= 0)
    {
        close(m_descriptor);
    }
}

void
OutputFile::Close()
{
    WriteThrough(nullptr, 0);
    const int descriptor = m_descriptor;
    m_descriptor = -1;
    // A network file system may report only now that it is full.
    if (close(descriptor))
    {
        FailToWrite(m_path, errno);
    }
}

void
OutputFile::WriteThrough(const void* data, std::size_t size)
{
    Put(m_buffer.data(), m_held);
    m_held = 0;
    if (size < m_buffer.size())
    {
        std::copy_n(static_cast<const char*>(data), size, m_buffer.data());
        m_held = size;
        return;
    }
    Put(data, size);
}

void
OutputFile::Put(const void* data, std::size_t size)
{
    m_crc = Crc32(m_crc, data, size);
    m_bytes += size;
    for (const auto* next = static_cast<const char*>(data); size > 0;)
    {
        const ssize_t written = write(m_descriptor, next, size);
        if (written < 0 && errno != EINTR)
        {
            FailToWrite(m_path, errno);
        }
        const auto done = static_cast<std::size_t>(std::max<ssize_t>(written, 0));
        next += done;
        size -= done;
    }
    if (m_dropsWritten)
    {
        posix_fadvise(m_descriptor, 0, 0, POSIX_FADV_DONTNEED);
    }
}

OutputStream::OutputStream(OutputFile& file)
    : std::ostream(nullptr),
      m_buffer(file)
{
    rdbuf(&m_buffer);
    // Without this, an error of the file would become a mere flag of the stream.
    exceptions(std::ios::badbit);
}

OutputStream::Buffer::Buffer(OutputFile& file)
    : m_file(file)
{
}

OutputStream::Buffer::int_type
OutputStream::Buffer::overflow(int_type letter)
{
    if (!traits_type::eq_int_type(letter, traits_type::eof()))
    {
        const char text = traits_type::to_char_type(letter);
        m_file.Write(&text, 1);
    }
    return traits_type::not_eof(letter);
}

std::streamsize
OutputStream::Buffer::xsputn(const char* text, std::streamsize size)
{
    m_file.Write(text, static_cast<std::size_t>(size));
    return size;
}

void
WriteWhole(const std::filesystem::path& path,
           const std::function<void(std::ostream&)>& write,
           Checksums& checksums)
{
    OutputFile file(Unfinished(path));
    OutputStream stream(file);
    write(stream);
    file.Close();
    Finish(path);
    checksums.Add(file);
}

} // namespace tcpsweep
