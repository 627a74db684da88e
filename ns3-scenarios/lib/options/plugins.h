// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_PLUGINS_H
#define TCPSWEEP_PLUGINS_H

#include <string>

namespace tcpsweep
{

/**
 * Load the libraries that `--load=LIB[,LIB]` names. It is done before the command line is read, as
 * their types and attributes may stand on it.
 *
 * @param argc the number of arguments
 * @param argv the arguments
 * @throws UsageError where a library cannot be loaded, or registers a name that there is already
 */
void LoadPlugins(int argc, char** argv);

} // namespace tcpsweep

#endif // TCPSWEEP_PLUGINS_H
