// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_PROGRAM_H
#define TCPSWEEP_PROGRAM_H

#include <functional>
#include <string>

namespace tcpsweep
{

/**
 * Run a program and turn its exceptions into one message and an exit status.
 *
 * @param name the program's name, which begins the message
 * @param run the program's function
 * @return 0; 2 for a wrong command line; 1 after any other failure
 */
int RunProgram(const std::string& name, const std::function<void()>& run);

} // namespace tcpsweep

#endif // TCPSWEEP_PROGRAM_H
