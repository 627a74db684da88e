// SPDX-License-Identifier: GPL-2.0-only
#include "output/row-file.h"

#include "options/errors.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace tcpsweep
{

namespace
{

constexpr std::size_t BUFFER_BYTES = 1 << 18;
constexpr int64_t NANOSECONDS = 1000000000;
constexpr int DECIMALS = 9;

/**
 * @param path the file
 */
[[noreturn]] void
Fail(const std::filesystem::path& path)
{
    throw OutputError(path.string() + ": cannot be written: " + std::strerror(errno));
}

} // namespace

RowFile::RowFile(const std::filesystem::path& path)
    : m_path(path),
      m_buffer(BUFFER_BYTES),
      m_next(m_buffer.data()),
      m_descriptor(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666))
{
    if (m_descriptor < 0)
    {
        Fail(m_path);
    }
}

RowFile::~RowFile()
{
    if (m_descriptor >= 0)
    {
        close(m_descriptor);
    }
}

RowFile&
RowFile::Begin()
{
    if (m_next + LONGEST_ROW > m_buffer.data() + m_buffer.size())
    {
        Flush();
    }
    PutSeconds(ns3::Simulator::Now());
    return *this;
}

void
RowFile::Close()
{
    Flush();
    const int descriptor = m_descriptor;
    m_descriptor = -1;
    // A network file system may report only now that it is full.
    if (close(descriptor))
    {
        Fail(m_path);
    }
}

void
RowFile::PutSeconds(ns3::Time time)
{
    int64_t nanoseconds = time.GetNanoSeconds();
    m_next = std::to_chars(m_next, m_next + LONGEST_FIELD, nanoseconds / NANOSECONDS).ptr;
    *m_next = '.';
    nanoseconds %= NANOSECONDS;
    for (char* digit = m_next + DECIMALS; digit > m_next; --digit)
    {
        *digit = static_cast<char>('0' + nanoseconds % 10);
        nanoseconds /= 10;
    }
    m_next += 1 + DECIMALS;
}

void
RowFile::Flush()
{
    for (const char* begin = m_buffer.data(); begin < m_next;)
    {
        const ssize_t written =
            write(m_descriptor, begin, static_cast<std::size_t>(m_next - begin));
        if (written < 0 && errno != EINTR)
        {
            Fail(m_path);
        }
        begin += std::max<ssize_t>(written, 0);
    }
    m_next = m_buffer.data();
}

} // namespace tcpsweep
