// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_PRIVATE_MEMBER_H
#define TCPSWEEP_PRIVATE_MEMBER_H

namespace tcpsweep
{

/**
 * Gives access to a private member: an explicit instantiation may name it ([temp.spec] in the C++
 * standard).
 *
 * @tparam Name a class that names the member's type as Pointer
 * @tparam member the member
 */
template <typename Name, typename Name::Pointer member>
struct Private
{
    /// @return the member
    friend typename Name::Pointer
    Member(Name)
    {
        return member;
    }
};

} // namespace tcpsweep

/// Declares NAME as the name of a private member of a class of ns-3's. Use it in namespace
/// tcpsweep.
#define TCPSWEEP_PRIVATE_MEMBER(NAME, CLASS, MEMBER, ...) \
    struct NAME                                           \
    {                                                     \
        using Pointer = __VA_ARGS__ CLASS::*;             \
        friend Pointer Member(NAME);                      \
    };                                                    \
    template struct Private<NAME, &CLASS::MEMBER>

#endif // TCPSWEEP_PRIVATE_MEMBER_H
