// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_PLUGINS_H
#define TCPSWEEP_PLUGINS_H

#include <string>

namespace tcpsweep
{

/**
 * Load the libraries that `--load=LIB[,LIB]` names. Do so before reading the command line, which
 * may name their types and attributes.
 *
 * @param argc the number of arguments
 * @param argv the arguments
 * @throws UsageError if a library cannot be loaded, or registers a type whose name is taken
 */
void LoadPlugins(int argc, char** argv);

} // namespace tcpsweep

#endif // TCPSWEEP_PLUGINS_H
