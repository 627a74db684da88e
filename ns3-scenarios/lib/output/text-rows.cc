// SPDX-License-Identifier: GPL-2.0-only
#include "output/text-rows.h"

namespace tcpsweep
{

namespace
{

constexpr int64_t NANOSECONDS = 1000000000;
constexpr int DECIMALS = 9;

} // namespace

TextRows::TextRows(const std::filesystem::path& path)
    : m_file(path)
{
}

TextRows&
TextRows::Letter(char letter)
{
    *m_next++ = letter;
    *m_next++ = ' ';
    return *this;
}

TextRows&
TextRows::Seconds(int64_t nanoseconds)
{
    Number(nanoseconds / NANOSECONDS);
    m_next[-1] = '.';
    nanoseconds %= NANOSECONDS;
    for (char* digit = m_next + DECIMALS - 1; digit >= m_next; --digit)
    {
        *digit = static_cast<char>('0' + nanoseconds % 10);
        nanoseconds /= 10;
    }
    m_next += DECIMALS;
    *m_next++ = ' ';
    return *this;
}

void
TextRows::End()
{
    m_next[-1] = '\n';
    m_file.Write(m_row, static_cast<std::size_t>(m_next - m_row));
    m_next = m_row;
}

void
TextRows::Close(Checksums& checksums)
{
    m_file.Close();
    checksums.Add(m_file);
}

} // namespace tcpsweep
