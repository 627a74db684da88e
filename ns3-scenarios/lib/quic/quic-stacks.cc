// SPDX-License-Identifier: GPL-2.0-only
#include "quic/quic-stacks.h"

#include "options/errors.h"
#include "options/text.h"

#include <algorithm>
#include <dlfcn.h>
#include <optional>

namespace tcpsweep
{

namespace
{

const char* const QUIC_OPTION = "quic";
/// RFC 9000, 14.1.
constexpr uint32_t LEAST_DATAGRAM_BYTES = 1200;
const char* const QUIC_SYMBOL = "tcpsweep_quic_stack";

/**
 * @param library the path of a library
 * @return its stack
 */
const quic_stack*
LoadQuicStack(const std::string& library)
{
    void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
    {
        throw UsageError(QUIC_OPTION, dlerror());
    }
    const auto get = reinterpret_cast<const quic_stack* (*)()>(dlsym(handle, QUIC_SYMBOL));
    const auto* const stack = get ? get() : nullptr;
    if (!stack || stack->version != QUIC_STACK_VERSION)
    {
        throw UsageError(QUIC_OPTION,
                         library + " is no QUIC stack with version " +
                             std::to_string(QUIC_STACK_VERSION) + " of the interface");
    }
    return stack;
}

} // namespace

QuicStacks::QuicStacks(const Options& options,
                       const std::vector<FlowParameters>& flows,
                       uint32_t headerBytes)
    : m_headerBytes(headerBytes)
{
    const auto text = options.Text(QUIC_OPTION);
    for (const auto& entry : text.empty() ? std::vector<std::string>() : Split(text, ','))
    {
        const auto equals = entry.find('=');
        if (equals == std::string::npos)
        {
            throw UsageError(QUIC_OPTION, "expected NAME=LIBRARY, got " + entry);
        }
        m_stacks[entry.substr(0, equals)] = LoadQuicStack(entry.substr(equals + 1));
    }
    for (const auto& flow : flows)
    {
        const auto variant = flow.variant ? QuicVariantOf(*flow.variant) : std::nullopt;
        if (!variant)
        {
            continue;
        }
        Find(*variant);
        const auto datagramBytes = DatagramBytes(flow.segmentBytes);
        if (datagramBytes < LEAST_DATAGRAM_BYTES)
        {
            throw UsageError("segment_size",
                             "QUIC needs datagrams of " + std::to_string(LEAST_DATAGRAM_BYTES) +
                                 " bytes or more; these have " + std::to_string(datagramBytes));
        }
    }
}

const quic_stack&
QuicStacks::Find(const QuicVariant& variant) const
{
    const auto found = m_stacks.find(variant.stack);
    if (found == m_stacks.end())
    {
        throw UsageError("variant",
                         "no library of the QUIC stack " + variant.stack + " was given with --" +
                             QUIC_OPTION);
    }
    const auto controls = Split(found->second->controls, ' ');
    if (std::find(controls.begin(), controls.end(), variant.control) == controls.end())
    {
        throw UsageError("variant",
                         variant.stack + " has no congestion control " + variant.control +
                             "; it has " + Join(controls, ", "));
    }
    return *found->second;
}

std::map<std::string, std::string>
QuicStacks::Settings() const
{
    std::map<std::string, std::string> settings;
    for (const auto& [name, stack] : m_stacks)
    {
        settings["quic:" + name] = stack->name;
    }
    return settings;
}

} // namespace tcpsweep
