// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_SERVE_H
#define TCPSWEEP_SERVE_H

#include <functional>

/**
 * @file
 * A process of a program that forks processes, which run the program's task. They need not load
 * ns-3's libraries and let them register their types, which takes longer than a short simulation.
 *
 * The program's only argument is then `--serve`. It writes "ready" to its standard output, and
 * reads requests from its standard input until that ends. A request is the size of what follows, in
 * bytes, as 32 bits in the machine's order, and then texts that each end with a null byte: the path
 * of a file that gets all that the process says, and its arguments, the first of them the program's
 * name. The answer is a line with the process's status, as waitpid() gives it.
 */

namespace tcpsweep
{

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return whether they ask for Serve()
 */
bool IsToServe(int argc, char** argv);

/**
 * Serve requests until there are no more. A process that serves a request ends with this process,
 * has no state of earlier requests, and keeps the answers' pipe open: no reader of its end
 * needs to wait for a process.
 *
 * @param run the program's function, with the arguments of main(); it returns the exit status
 * @return the exit status of this process
 */
int Serve(const std::function<int(int, char**)>& run);

} // namespace tcpsweep

#endif // TCPSWEEP_SERVE_H
