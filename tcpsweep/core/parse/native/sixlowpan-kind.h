// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_SIXLOWPAN_KIND_H
#define TCPSWEEP_SIXLOWPAN_KIND_H

#include <cstdint>

namespace tcpsweep
{

/// The content of a 6LoWPAN frame without a readable IPv6 packet.
enum class SixLowPanKind : uint32_t
{
    EMPTY,       //!< nothing
    FOREIGN,     //!< marked as not 6LoWPAN
    FRAGMENT,    //!< a fragment after the first
    CONTEXT,     //!< headers compressed with a context, which is not in frames
    UNSUPPORTED, //!< any other content
};

} // namespace tcpsweep

#endif // TCPSWEEP_SIXLOWPAN_KIND_H
