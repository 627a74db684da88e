// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_CURSOR_H
#define TCPSWEEP_CURSOR_H

#include "bytes.h"

#include <cstddef>
#include <cstdint>

namespace tcpsweep
{

/// Takes headers off a packet whose length is found only while reading. After the end of the
/// captured bytes it returns zeros, so that one check at the end is enough.
class Cursor
{
  public:
    /// @param rest the headers and the bytes after them
    explicit Cursor(const Rest& rest)
        : m_rest(rest)
    {
    }

    /// @return whether more bytes were taken than captured
    bool
    IsShort() const
    {
        return m_isShort;
    }

    /// @return the remaining bytes
    const Rest&
    Left() const
    {
        return m_rest;
    }

    /**
     * @param count a number of bytes, at most 255
     * @return the next bytes
     */
    const uint8_t*
    Take(size_t count)
    {
        static constexpr uint8_t ZEROS[255] = {};
        m_isShort = m_isShort || m_rest.captured < count;
        if (m_isShort)
        {
            return ZEROS;
        }
        const uint8_t* data = m_rest.data;
        m_rest = m_rest.Behind(count);
        return data;
    }

    /// @return the next byte
    uint8_t
    Take()
    {
        return *Take(1);
    }

  private:
    Rest m_rest;           //!< the remaining bytes
    bool m_isShort{false}; //!< whether more bytes were taken than captured
};

} // namespace tcpsweep

#endif // TCPSWEEP_CURSOR_H
