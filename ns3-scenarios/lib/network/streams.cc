// SPDX-License-Identifier: GPL-2.0-only

/**
 * \file
 * ns-3's constructor of a random stream once more, a hundred times faster: the first one of a
 * process raises the generator's two matrices to powers, in floating-point numbers with
 * divisions, which took half of the start of a program. The dynamic linker takes this definition
 * instead of the library's. The states are the same, integers below 2^32.
 */

#include "network/streams.h"

#include <ns3/fatal-error.h>
#include <ns3/rng-stream.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tcpsweep
{

namespace
{

using StreamMatrix = std::array<std::array<uint64_t, 3>, 3>;

/// The powers of two that a stream's and a substream's number may lead to.
constexpr std::size_t STREAM_POWERS = 127 + 64;

/// A component of MRG32k3a (L'Ecuyer 1999, table II): its modulus, and its matrix to the power of
/// 1, 2, 4, …
struct StreamComponent
{
    /**
     * @param m the modulus
     * @param step the matrix of one step
     */
    StreamComponent(uint64_t m, const StreamMatrix& step)
        : modulus(m)
    {
        powers[0] = step;
        for (std::size_t i = 1; i < powers.size(); ++i)
        {
            const auto& root = powers[i - 1];
            for (std::size_t row = 0; row < 3; ++row)
            {
                for (std::size_t column = 0; column < 3; ++column)
                {
                    uint64_t sum = 0;
                    for (std::size_t k = 0; k < 3; ++k)
                    {
                        sum += root[row][k] * root[k][column] % modulus;
                    }
                    powers[i][row][column] = sum % modulus;
                }
            }
        }
    }

    /**
     * @param steps how many steps to take, in units
     * @param unit the logarithm of a unit to the base of 2
     * @param[in,out] state the component's state
     */
    void
    Advance(uint64_t steps, std::size_t unit, double* state) const
    {
        for (std::size_t bit = 0; steps >> bit; ++bit)
        {
            if (steps >> bit & 1)
            {
                const auto& power = powers[unit + bit];
                std::array<uint64_t, 3> next{};
                for (std::size_t row = 0; row < 3; ++row)
                {
                    for (std::size_t k = 0; k < 3; ++k)
                    {
                        next[row] += power[row][k] * static_cast<uint64_t>(state[k]) % modulus;
                    }
                }
                for (std::size_t row = 0; row < 3; ++row)
                {
                    state[row] = static_cast<double>(next[row] % modulus);
                }
            }
            if (bit == 63)
            {
                break;
            }
        }
    }

    uint64_t modulus;                               //!< the modulus
    std::array<StreamMatrix, STREAM_POWERS> powers; //!< the matrix to the power of 2^i
};

} // namespace

} // namespace tcpsweep

namespace ns3
{

RngStream::RngStream(uint32_t seed, uint64_t stream, uint64_t substream)
{
    constexpr uint64_t M1 = 4294967087;
    constexpr uint64_t M2 = 4294944443;
    static const tcpsweep::StreamComponent first(
        M1,
        {{{{0, 1, 0}}, {{0, 0, 1}}, {{M1 - 810728, 1403580, 0}}}});
    static const tcpsweep::StreamComponent second(
        M2,
        {{{{0, 1, 0}}, {{0, 0, 1}}, {{M2 - 1370589, 0, 527612}}}});
    if (seed == 0 || seed >= M2)
    {
        NS_FATAL_ERROR("invalid seed " << seed);
    }
    for (auto& part : m_currentState)
    {
        part = seed;
    }
    // As in L'Ecuyer et al. 2002: streams lie 2^127 steps apart, and their substreams 2^76.
    for (const auto& [number, unit] : {std::pair(stream, 127), std::pair(substream, 76)})
    {
        first.Advance(number, unit, m_currentState);
        second.Advance(number, unit, m_currentState + 3);
    }
}

} // namespace ns3
