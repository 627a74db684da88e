// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_PROGRAMS_H
#define TCPSWEEP_PROGRAMS_H

#include <string>

namespace tcpsweep
{

/// The commands of programs that send and receive a flow's data; empty for none.
struct Programs
{
    std::string sender;   //!< runs at the sender's host
    std::string receiver; //!< runs at the receiver's host, and begins first

    /// @return whether there is any
    bool
    Any() const
    {
        return !sender.empty() || !receiver.empty();
    }
};

} // namespace tcpsweep

#endif // TCPSWEEP_PROGRAMS_H
