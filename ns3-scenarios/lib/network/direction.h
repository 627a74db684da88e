// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_DIRECTION_H
#define TCPSWEEP_DIRECTION_H

namespace tcpsweep
{

/// A direction of the bottleneck, and of the flows whose data take it.
enum class Direction
{
    FORWARD, //!< from the left router to the right one
    REVERSE
};

/**
 * @param direction a direction
 * @return its name
 */
constexpr const char*
NameOf(Direction direction)
{
    return direction == Direction::FORWARD ? "forward" : "reverse";
}

} // namespace tcpsweep

#endif // TCPSWEEP_DIRECTION_H
