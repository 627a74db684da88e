// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_PATTERN_H
#define TCPSWEEP_PATTERN_H

#include <cstdint>
#include <string>

namespace tcpsweep
{

/**
 * Fill in a pattern for the names of several similar things, such as `leaf{i / 4}`. Braces contain
 * whole numbers, `i`, `+ - * / %` and parentheses; `/` rounds down.
 *
 * @param pattern the pattern
 * @param i the thing's number, from 0
 * @return the name
 * @throws BadValue if it cannot be read, or comes to a number below 0
 */
std::string FillPattern(const std::string& pattern, int64_t i);

} // namespace tcpsweep

#endif // TCPSWEEP_PATTERN_H
