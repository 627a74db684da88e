// SPDX-License-Identifier: MIT
#include "file-blocks.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tcpsweep
{

FileBlocks::FileBlocks(Read read)
    : m_read(std::move(read)),
      m_block(new uint8_t[BLOCK_BYTES])
{
}

size_t
FileBlocks::Fill(size_t count)
{
    if (m_end - m_begin >= count)
    {
        return m_end - m_begin;
    }
    std::memmove(m_block.get(), m_block.get() + m_begin, m_end - m_begin);
    m_end -= m_begin;
    m_begin = 0;
    while (m_end < count)
    {
        const size_t size = m_read(m_block.get() + m_end, BLOCK_BYTES - m_end);
        if (!size)
        {
            break;
        }
        m_end += size;
    }
    return m_end;
}

bool
FileBlocks::Skip(uint64_t count)
{
    while (count)
    {
        const auto part = static_cast<size_t>(std::min<uint64_t>(count, BLOCK_BYTES));
        const size_t size = std::min(Fill(part), part);
        Take(size);
        count -= size;
        if (size < part)
        {
            return false;
        }
    }
    return true;
}

} // namespace tcpsweep
