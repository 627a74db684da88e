// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_QUIC_VARIANTS_H
#define TCPSWEEP_QUIC_VARIANTS_H

#include <ns3/type-id.h>

#include <optional>
#include <string>

namespace tcpsweep
{

/// A QUIC stack and one of its congestion controls.
struct QuicVariant
{
    std::string stack;   //!< the stack's name, such as noq
    std::string control; //!< the control's name there, such as cubic
};

/**
 * @param name a variant, such as quic:noq/cubic
 * @return a type that represents it and has no objects; nothing for other names
 */
std::optional<ns3::TypeId> FindQuicVariant(const std::string& name);

/**
 * @param variant a variant
 * @return its stack and control; nothing if it is not of QUIC
 */
std::optional<QuicVariant> QuicVariantOf(ns3::TypeId variant);

} // namespace tcpsweep

#endif // TCPSWEEP_QUIC_VARIANTS_H
