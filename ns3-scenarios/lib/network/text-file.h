// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_TEXT_FILE_H
#define TCPSWEEP_TEXT_FILE_H

#include "options/errors.h"

#include <cstdint>
#include <string>

/**
 * @file
 * Text files that users name, such as a link's trace.
 */

namespace tcpsweep
{

/**
 * @param path a file
 * @return its content
 * @throws BadValue that names the file
 */
std::string ReadTextFile(const std::string& path);

/**
 * @param path a file
 * @param line the number of a line of it, from 1
 * @param problem the problem there
 * @return the error
 */
BadValue BadLine(const std::string& path, uint64_t line, const std::string& problem);

} // namespace tcpsweep

#endif // TCPSWEEP_TEXT_FILE_H
