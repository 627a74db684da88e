// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_SALT_H
#define TCPSWEEP_SALT_H

#include <cstdint>

/**
 * @file
 * The value that a node adds to the hash that chooses among equal paths.
 */

namespace tcpsweep
{

/**
 * It depends on seed and run, so that each run chooses its paths again. All variants of a run have
 * the same salts, because they use common random numbers.
 *
 * @param node a node's number
 * @return its salt
 */
uint32_t SaltOf(uint32_t node);

} // namespace tcpsweep

#endif // TCPSWEEP_SALT_H
