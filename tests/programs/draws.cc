// SPDX-License-Identifier: GPL-2.0-only
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <map>
#include <vector>

/**
 * @file
 * Counts the random numbers from each of ns-3's streams, for any object: loaded before a program
 * (LD_PRELOAD), it takes the place of two functions of ns3::RngStream, by their names in the
 * library. At the end it writes a line for each generator that was drawn from into the file that
 * DRAWS names: its stream's number, and how many draws. Numbers that ns-3 gives by itself are
 * written below zero, as ns-3 has them apart from the others by 2^63.
 */

namespace
{

/// A generator: its stream, and how many numbers it has given.
struct Generator
{
    int64_t stream = 0; //!< negative for streams that ns-3 numbers automatically
    uint64_t draws = 0; //!< so far
};

/// All generators.
struct Count
{
    std::map<void*, Generator> there; //!< those that are there, by their address
    std::vector<Generator> gone;      //!< those whose address another has now

    ~Count()
    {
        for (const auto& [unused, generator] : there)
        {
            gone.push_back(generator);
        }
        const char* const path = std::getenv("DRAWS");
        std::FILE* const file = path ? std::fopen(path, "w") : nullptr;
        if (!file)
        {
            return;
        }
        for (const auto& [stream, draws] : gone)
        {
            if (draws > 0)
            {
                std::fprintf(file,
                             "%lld %llu\n",
                             static_cast<long long>(stream),
                             static_cast<unsigned long long>(draws));
            }
        }
        std::fclose(file);
    }
};

/// @return the one count
Count&
TheCount()
{
    static Count count;
    return count;
}

/**
 * @param name a function's name in the library
 * @return the function whose place one of this file takes
 */
template <typename Function>
Function
Original(const char* name)
{
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C"
{
    /// In the place of ns3::RngStream::RngStream(uint32_t seed, uint64_t stream, uint64_t run).
    void
    _ZN3ns39RngStreamC1Ejmm(void* generator, uint32_t seed, uint64_t stream, uint64_t run)
    {
        static const auto original =
            Original<void (*)(void*, uint32_t, uint64_t, uint64_t)>("_ZN3ns39RngStreamC1Ejmm");
        original(generator, seed, stream, run);
        constexpr uint64_t NUMBERED = uint64_t{1} << 63;
        auto& count = TheCount();
        const auto there = count.there.find(generator);
        if (there != count.there.end())
        {
            count.gone.push_back(there->second);
        }
        const auto number = static_cast<int64_t>(stream & ~NUMBERED);
        count.there[generator] = {stream & NUMBERED ? number : -1 - number, 0};
    }

    /// In the place of ns3::RngStream::RandU01().
    double
    _ZN3ns39RngStream7RandU01Ev(void* generator)
    {
        static const auto original = Original<double (*)(void*)>("_ZN3ns39RngStream7RandU01Ev");
        ++TheCount().there[generator].draws;
        return original(generator);
    }
}
