// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_SIXLOWPAN_KIND_H
#define TCPSWEEP_SIXLOWPAN_KIND_H

#include <cstdint>

namespace tcpsweep
{

/// What a frame of 6LoWPAN holds where that is no IPv6 packet that can be read.
enum class SixLowPanKind : uint32_t
{
    EMPTY,       //!< nothing
    FOREIGN,     //!< what says that it is no 6LoWPAN
    FRAGMENT,    //!< a fragment behind the first
    CONTEXT,     //!< headers compressed by a context, which frames do not tell
    UNSUPPORTED, //!< any other
};

} // namespace tcpsweep

#endif // TCPSWEEP_SIXLOWPAN_KIND_H
