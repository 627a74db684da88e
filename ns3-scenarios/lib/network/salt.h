// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_SALT_H
#define TCPSWEEP_SALT_H

#include <cstdint>

/**
 * @file
 * What nodes add to a hash that chooses among equal ways.
 */

namespace tcpsweep
{

/**
 * Seed and run are part of it, so that each run draws its ways anew. All variants of a run have the
 * same, as they have the same random numbers.
 *
 * @param node a node's number
 * @return its salt
 */
uint32_t SaltOf(uint32_t node);

} // namespace tcpsweep

#endif // TCPSWEEP_SALT_H
