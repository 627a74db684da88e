// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_DESCRIBED_FIELDS_H
#define TCPSWEEP_DESCRIBED_FIELDS_H

#include "options/options.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tcpsweep
{

/// The groups of described parts.
constexpr auto LINKS = "links";
constexpr auto FLOWS = "flows";     //!< @copydoc LINKS
constexpr auto TRAFFIC = "traffic"; //!< @copydoc LINKS

/**
 * @param names names of options that other scenarios have
 * @return these options
 */
std::vector<Option> Shared(const std::vector<std::string>& names);

/**
 * @param options the fields of similar links or flows
 * @return their number
 */
uint64_t CountOf(const Options& options);

/**
 * @param options the fields of a link or of flows
 * @param name the name of a field that names nodes
 * @param member the number of the member
 * @return the names
 */
std::vector<std::string> NodesOf(const Options& options, const std::string& name, uint64_t member);

} // namespace tcpsweep

#endif // TCPSWEEP_DESCRIBED_FIELDS_H
