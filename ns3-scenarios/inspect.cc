// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/bbr-gains.h" // a type of ours with attributes
#include "options/errors.h"
#include "options/plugins.h"
#include "options/program.h"
#include "options/text.h"
#include "output/catalogue.h"

#include <iostream>
#include <string>

/**
 * @file
 * Lists this ns-3's types: `inspect` writes the catalogue of its types, `inspect --check` tries the
 * settings that it reads from its standard input. `--load=LIB[,LIB]` adds the types of other
 * libraries.
 */

namespace tcpsweep
{

namespace
{

/**
 * @param argc the number of arguments
 * @param argv the arguments
 */
void
Run(int argc, char** argv)
{
    bool check = false;
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        check |= argument == "--check";
        if (argument != "--check" && !StartsWith(argument, "--load="))
        {
            throw UsageError("expected --check or --load=LIB[,LIB], got '" + argument + "'");
        }
    }
    LoadPlugins(argc, argv);
    check ? CheckSettings(std::cin, std::cout) : WriteCatalogue(std::cout);
    if (!std::cout.flush())
    {
        throw OutputError("standard output cannot be written");
    }
}

} // namespace

} // namespace tcpsweep

int
main(int argc, char** argv)
{
    return tcpsweep::RunProgram("inspect", [argc, argv] { tcpsweep::Run(argc, argv); });
}
