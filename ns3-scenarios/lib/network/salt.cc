// SPDX-License-Identifier: GPL-2.0-only
#include "network/salt.h"

#include <ns3/hash.h>
#include <ns3/rng-seed-manager.h>

#include <array>

namespace tcpsweep
{

uint32_t
SaltOf(uint32_t node)
{
    const std::array<uint64_t, 3> hashed = {node,
                                            ns3::RngSeedManager::GetSeed(),
                                            ns3::RngSeedManager::GetRun()};
    return ns3::Hash32(reinterpret_cast<const char*>(hashed.data()), sizeof(hashed));
}

} // namespace tcpsweep
