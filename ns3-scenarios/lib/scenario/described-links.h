// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_DESCRIBED_LINKS_H
#define TCPSWEEP_DESCRIBED_LINKS_H

#include "network/link-parameters.h"
#include "options/options.h"

#include <ns3/nstime.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tcpsweep
{

/// @return the fields of a link
std::vector<Option> LinkFields();

/// A link, and the fields that it was read from.
struct FieldsOfLink
{
    Options forward; //!< the link's fields
    Options reverse; //!< the fields of its reverse direction
};

/**
 * @param options the options
 * @param name the name of similar links
 * @param[out] fields the fields of each
 * @return the links
 */
std::vector<LinkParameters>
ReadLinks(const Options& options, const std::string& name, std::vector<FieldsOfLink>& fields);

/**
 * @param links links
 * @param name the name of one of them
 * @return its number
 */
std::size_t FindLink(const std::vector<LinkParameters>& links, const std::string& name);

/**
 * Set a link's buffers and its bandwidth-delay product, which uses its faster direction. A
 * direction's buffer uses that direction's own product.
 *
 * @param fields its fields
 * @param roundTrip the largest base RTT of its flows
 * @param wirePacketBytes bytes of the largest segment of its flows on the wire
 * @param hasDctcp whether flows with DCTCP cross it
 * @param[in,out] link the link
 */
void AddBuffers(const FieldsOfLink& fields,
                ns3::Time roundTrip,
                uint32_t wirePacketBytes,
                bool hasDctcp,
                LinkParameters& link);

} // namespace tcpsweep

#endif // TCPSWEEP_DESCRIBED_LINKS_H
