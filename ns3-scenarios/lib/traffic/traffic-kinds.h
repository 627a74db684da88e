// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_TRAFFIC_KINDS_H
#define TCPSWEEP_TRAFFIC_KINDS_H

#include "traffic/traffic.h"

#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * The only place that knows all kinds of traffic.
 */

namespace tcpsweep
{

/// @return the words for the kinds
std::vector<std::string> TrafficKinds();

/**
 * @param kind the word for a kind
 * @return its options, including the options of all kinds
 * @throws BadValue for another word
 */
std::vector<Option> DeclareTrafficOptions(const std::string& kind);

/**
 * @param kind the word for a kind
 * @param options the options in force, by the names of DeclareTrafficOptions()
 * @param place the group's surroundings
 * @param rows the rows for its transfers; nullptr to write none
 * @return the group, installed
 * @throws UsageError
 */
std::unique_ptr<Traffic> MakeTraffic(const std::string& kind,
                                     const Options& options,
                                     const TrafficPlace& place,
                                     TransferRows* rows);

} // namespace tcpsweep

#endif // TCPSWEEP_TRAFFIC_KINDS_H
