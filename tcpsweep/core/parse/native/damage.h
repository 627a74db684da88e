// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_DAMAGE_H
#define TCPSWEEP_DAMAGE_H

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tcpsweep
{

/// A capture file has impossible content at some place.
class Damage : public std::runtime_error
{
  public:
    /**
     * @param offset the place, in bytes from the file's beginning
     * @param what the problem there
     */
    Damage(uint64_t offset, const std::string& what)
        : std::runtime_error(what),
          m_offset(offset)
    {
    }

    /// @return the place
    uint64_t
    Offset() const
    {
        return m_offset;
    }

  private:
    uint64_t m_offset; //!< the place
};

} // namespace tcpsweep

#endif // TCPSWEEP_DAMAGE_H
