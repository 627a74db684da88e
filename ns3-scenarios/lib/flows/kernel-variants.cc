// SPDX-License-Identifier: GPL-2.0-only
#include "flows/kernel-variants.h"

#include "options/ns3-types.h"
#include "options/text.h"

#include <ns3/tcp-congestion-ops.h>

#include <map>

namespace tcpsweep
{

namespace
{

/// What the name of a variant of the kernel's begins with.
const std::string PREFIX = "linux:";

/// ns-3's variants and the corresponding ones of Linux; docs/features/linux.md lists their
/// differences.
const std::map<std::string, std::string> KERNEL_NAMES = {
    {"TcpBbr", "bbr"},
    {"TcpBic", "bic"},
    {"TcpCubic", "cubic"},
    {"TcpDctcp", "dctcp"},
    {"TcpHighSpeed", "highspeed"},
    {"TcpHtcp", "htcp"},
    {"TcpHybla", "hybla"},
    {"TcpIllinois", "illinois"},
    {"TcpLinuxReno", "reno"},
    {"TcpLp", "lp"},
    {"TcpScalable", "scalable"},
    {"TcpVegas", "vegas"},
    {"TcpVeno", "veno"},
    {"TcpWestwoodPlus", "westwood"},
    {"TcpYeah", "yeah"},
};

} // namespace

std::optional<ns3::TypeId>
FindKernelVariant(const std::string& name)
{
    if (!StartsWith(name, PREFIX) || name.size() == PREFIX.size())
    {
        return std::nullopt;
    }
    ns3::TypeId type;
    if (!ns3::TypeId::LookupByNameFailSafe(FullTypeName(name), &type))
    {
        type = ns3::TypeId(FullTypeName(name)).SetParent(ns3::TcpCongestionOps::GetTypeId());
    }
    return type;
}

std::string
KernelNameOf(ns3::TypeId variant)
{
    const auto name = variant.GetName().substr(FullTypeName("").size());
    if (StartsWith(name, PREFIX))
    {
        return name.substr(PREFIX.size());
    }
    const auto found = KERNEL_NAMES.find(name);
    return found == KERNEL_NAMES.end() ? "" : found->second;
}

bool
IsKernels(ns3::TypeId variant)
{
    return StartsWith(variant.GetName(), FullTypeName(PREFIX));
}

} // namespace tcpsweep
