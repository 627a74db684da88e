// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_CURSOR_H
#define TCPSWEEP_CURSOR_H

#include "bytes.h"

#include <cstddef>
#include <cstdint>

namespace tcpsweep
{

/// Takes headers off a packet whose length shows only on the way. Once they are not all there, it
/// hands out zeros, so that it need be asked only at the end.
class Cursor
{
  public:
    /// @param rest the headers, and what is behind them
    explicit Cursor(const Rest& rest)
        : m_rest(rest)
    {
    }

    /// @return whether more was taken than there is
    bool
    IsShort() const
    {
        return m_isShort;
    }

    /// @return what is left
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
    Rest m_rest;           //!< what is left
    bool m_isShort{false}; //!< whether more was taken than there is
};

} // namespace tcpsweep

#endif // TCPSWEEP_CURSOR_H
