// SPDX-License-Identifier: GPL-2.0-only
#include "options/plugins.h"

#include "options/attempt.h"
#include "options/errors.h"
#include "options/ns3-types.h"
#include "options/text.h"

#include <algorithm>
#include <dlfcn.h>

namespace tcpsweep
{

namespace
{

/**
 * @param library path of a shared library
 */
void
Load(const std::string& library)
{
    // Local, so that symbols of the same name in two libraries stay apart.
    if (!dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL))
    {
        throw BadValue(dlerror());
    }
    // ns-3 asserts that a type's name is new; built without asserts, it never finds the second type
    // of a name.
    const auto types = RegisteredTypes();
    const auto twice =
        std::adjacent_find(types.begin(),
                           types.end(),
                           [](const auto& a, const auto& b) { return a.GetName() == b.GetName(); });
    if (twice != types.end())
    {
        throw BadValue(library + ": ns-3 has a type " + twice->GetName() + " already");
    }
}

} // namespace

void
LoadPlugins(int argc, char** argv)
{
    const std::string option = "--load=";
    for (int i = 1; i < argc; ++i)
    {
        if (!StartsWith(argv[i], option))
        {
            continue;
        }
        for (const auto& library : Split(argv[i] + option.size(), ','))
        {
            if (library.empty())
            {
                continue;
            }
            // A library whose type is registered already ends the process.
            if (const auto problem = Attempt([&library] { Load(library); }))
            {
                throw UsageError("load", *problem);
            }
            Load(library);
        }
    }
}

} // namespace tcpsweep
