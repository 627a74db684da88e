// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_FILE_DESCRIPTOR_H
#define TCPSWEEP_FILE_DESCRIPTOR_H

#include <unistd.h>
#include <utility>

namespace tcpsweep
{

/// An open file of the kernel, such as a socket, which is closed with this object.
class FileDescriptor
{
  public:
    FileDescriptor() = default;

    /// @param number its number; negative for none
    explicit FileDescriptor(int number)
        : m_number(number)
    {
    }

    FileDescriptor(FileDescriptor&& other) noexcept
        : m_number(std::exchange(other.m_number, -1))
    {
    }

    FileDescriptor&
    operator=(FileDescriptor&& other) noexcept
    {
        std::swap(m_number, other.m_number);
        return *this;
    }

    ~FileDescriptor()
    {
        Close();
    }

    /// @return its number; negative for none
    int
    Get() const
    {
        return m_number;
    }

    /// @return whether there is one
    explicit
    operator bool() const
    {
        return m_number >= 0;
    }

    /// Close it, if there is one.
    void
    Close()
    {
        if (m_number >= 0)
        {
            close(m_number);
            m_number = -1;
        }
    }

  private:
    int m_number{-1}; //!< its number
};

} // namespace tcpsweep

#endif // TCPSWEEP_FILE_DESCRIPTOR_H
