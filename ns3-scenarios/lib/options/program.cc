// SPDX-License-Identifier: GPL-2.0-only
#include "options/program.h"

#include "options/errors.h"

#include <exception>
#include <iostream>

namespace tcpsweep
{

int
RunProgram(const std::string& name, const std::function<void()>& run)
{
    try
    {
        run();
        return 0;
    }
    catch (const UsageError& error)
    {
        std::cerr << name << ": " << error.what() << std::endl;
        return 2;
    }
    catch (const std::exception& error)
    {
        std::cerr << name << ": " << error.what() << std::endl;
        return 1;
    }
}

} // namespace tcpsweep
