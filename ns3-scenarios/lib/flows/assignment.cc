// SPDX-License-Identifier: GPL-2.0-only
#include "flows/assignment.h"

#include "flows/kernel-variants.h"
#include "flows/quic-variants.h"
#include "options/ns3-types.h"
#include "options/values.h"

#include <ns3/rng-seed-manager.h>
#include <ns3/tcp-congestion-ops.h>

#include <algorithm>

namespace tcpsweep
{

namespace
{

/// The word in a mix for omitted flows.
const std::string NOBODY = "none";

/**
 * @param text names of congestion controls with + between
 * @return their types; nothing for NOBODY
 */
std::vector<Assigned>
ParseVariants(const std::string& text)
{
    std::vector<Assigned> turns;
    for (const auto& name : Split(text, '+'))
    {
        if (name == NOBODY)
        {
            turns.emplace_back(std::nullopt);
            continue;
        }
        const auto ofKernel = FindKernelVariant(name);
        const auto foreign = ofKernel ? ofKernel : FindQuicVariant(name);
        turns.emplace_back(
            foreign ? *foreign
                    : FindType(name, ns3::TcpCongestionOps::GetTypeId(), "congestion control"));
    }
    return turns;
}

} // namespace

std::vector<Assigned>
AssignVariants(const Options& options, const FlowCounts& counts, bool flowsDiffer)
{
    const auto turns = options.As("variant", ParseVariants);
    // Run 1 is not rotated, and run 0 comes before it.
    const uint64_t run = IsRotated(options, flowsDiffer) ? ns3::RngSeedManager::GetRun() : 1;
    std::vector<Assigned> assigned;
    const auto assign = [&](uint64_t first, uint64_t count)
    {
        for (uint64_t i = 0; i < count; ++i)
        {
            assigned.push_back(turns[(first + (i + run + count - 1) % count) % turns.size()]);
        }
    };
    assign(0, counts.forward);
    assign(counts.forward, counts.reverse);
    if (std::none_of(assigned.begin(), assigned.end(), [](const auto& each) { return each; }))
    {
        throw UsageError("variant", "leaves out all flows");
    }
    return assigned;
}

std::vector<Assigned>
AssignInTurn(const Options& options, uint64_t first, uint64_t count)
{
    const auto turns = options.As("variant", ParseVariants);
    // The flows of a described network have ends of their own, and so differ.
    const uint64_t run = IsRotated(options, true) ? ns3::RngSeedManager::GetRun() : 1;
    std::vector<Assigned> assigned;
    for (uint64_t i = 0; i < count; ++i)
    {
        assigned.push_back(turns[(first + i + run + turns.size() - 1) % turns.size()]);
    }
    return assigned;
}

bool
IsRotated(const Options& options, bool flowsDiffer)
{
    return options.As("assignment",
                      [flowsDiffer](const std::string& text)
                      {
                          const auto word = ParseWord(text, {"auto", "fixed", "rotated"});
                          return word == "auto" ? flowsDiffer : word == "rotated";
                      });
}

} // namespace tcpsweep
