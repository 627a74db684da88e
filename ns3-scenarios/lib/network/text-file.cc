// SPDX-License-Identifier: GPL-2.0-only
#include "network/text-file.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace tcpsweep
{

std::string
ReadTextFile(const std::string& path)
{
    const auto fail = [&path]
    {
        return BadValue("cannot read '" + path + "': " + std::strerror(errno));
    };
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                               &std::fclose);
    if (!file)
    {
        throw fail();
    }
    std::string text;
    auto block = std::make_unique<std::array<char, 1 << 20>>();
    while (const auto count = std::fread(block->data(), 1, block->size(), file.get()))
    {
        text.append(block->data(), count);
    }
    if (std::ferror(file.get())) // a folder, for example
    {
        throw fail();
    }
    return text;
}

BadValue
BadLine(const std::string& path, uint64_t line, const std::string& problem)
{
    return BadValue(path + ":" + std::to_string(line) + ": " + problem);
}

} // namespace tcpsweep
