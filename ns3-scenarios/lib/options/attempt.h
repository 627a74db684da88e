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
 * Finding out whether ns-3 takes something. Much of what it does not take ends the process, so the
 * attempt is made in a child process, which also leaves no trace of it in this one.
 */

namespace tcpsweep
{

/**
 * @param attempt what to try; it fails by an exception or by ending the process
 * @return why it failed; nothing where it did not
 */
std::optional<std::string> Attempt(const std::function<void()>& attempt);

/**
 * Make attempts in as few child processes as they allow: one, and one more for each that ended its
 * process.
 *
 * @param count how many there are
 * @param attempt what to try, given the number of the attempt
 * @return for each attempt why it failed; nothing where it did not
 */
std::vector<std::optional<std::string>>
AttemptAll(std::size_t count, const std::function<void(std::size_t)>& attempt);

} // namespace tcpsweep

#endif // TCPSWEEP_ATTEMPT_H
