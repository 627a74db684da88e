// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_KERNEL_VARIANTS_H
#define TCPSWEEP_KERNEL_VARIANTS_H

#include <ns3/type-id.h>

#include <optional>
#include <string>

namespace tcpsweep
{

/**
 * @param name a variant, such as linux:bbr
 * @return a type that represents it and has no objects; nothing for other names
 */
std::optional<ns3::TypeId> FindKernelVariant(const std::string& name);

/**
 * @param variant a variant, of ns-3 or from FindKernelVariant()
 * @return what Linux calls it; empty if it has nothing that ns-3's is to be
 */
std::string KernelNameOf(ns3::TypeId variant);

/**
 * @param variant a variant
 * @return whether only Linux has it
 */
bool IsKernels(ns3::TypeId variant);

} // namespace tcpsweep

#endif // TCPSWEEP_KERNEL_VARIANTS_H
