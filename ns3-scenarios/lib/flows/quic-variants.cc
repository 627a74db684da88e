// SPDX-License-Identifier: GPL-2.0-only
#include "flows/quic-variants.h"

#include "options/ns3-types.h"
#include "options/text.h"

#include <ns3/tcp-congestion-ops.h>

namespace tcpsweep
{

namespace
{

/// What the name of a variant of QUIC begins with.
const std::string QUIC_PREFIX = "quic:";

/**
 * @param name a variant's name
 * @return its parts; nothing if it has not this form
 */
std::optional<QuicVariant>
ParseQuic(const std::string& name)
{
    if (!StartsWith(name, QUIC_PREFIX))
    {
        return std::nullopt;
    }
    const auto parts = Split(name.substr(QUIC_PREFIX.size()), '/');
    if (parts.size() != 2 || parts[0].empty() || parts[1].empty())
    {
        return std::nullopt;
    }
    return QuicVariant{parts[0], parts[1]};
}

} // namespace

std::optional<ns3::TypeId>
FindQuicVariant(const std::string& name)
{
    if (!ParseQuic(name))
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

std::optional<QuicVariant>
QuicVariantOf(ns3::TypeId variant)
{
    return ParseQuic(variant.GetName().substr(FullTypeName("").size()));
}

} // namespace tcpsweep
