// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_ATTEMPT_H
#define TCPSWEEP_ATTEMPT_H

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * Find out whether ns-3 accepts a value. Refused values often end the process, so try it in a
 * child process, which also leaves this process unchanged.
 */

namespace tcpsweep
{

/**
 * @param attempt what to try; it fails by an exception or by ending the process
 * @return why it failed; nothing after a success
 */
std::optional<std::string> Attempt(const std::function<void()>& attempt);

/**
 * Make attempts in as few child processes as possible: one, and one more for each attempt that ends
 * its process.
 *
 * @param count their number
 * @param attempt what to try, given the number of the attempt
 * @return why each attempt failed; nothing for a success
 */
std::vector<std::optional<std::string>>
AttemptAll(std::size_t count, const std::function<void(std::size_t)>& attempt);

} // namespace tcpsweep

#endif // TCPSWEEP_ATTEMPT_H
