// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_SCHEDULE_FILE_H
#define TCPSWEEP_SCHEDULE_FILE_H

#include <ns3/data-rate.h>
#include <ns3/nstime.h>

#include <optional>
#include <string>
#include <vector>

namespace tcpsweep
{

/// What changes on a link at a time; what has no value stays as it is.
struct LinkChange
{
    ns3::Time time;                         //!< when
    std::optional<ns3::DataRate> bandwidth; //!< the rate from then on
    std::optional<ns3::Time> delay;         //!< the delay from then on
    std::optional<double> loss;             //!< the probability of a loss from then on
};

/**
 * Read the schedule of a link: comma-separated values, without quotes. Lines that begin with # say
 * nothing, and neither do empty ones. The first other line names the columns: time_s or time, which
 * all files have, bandwidth_bps or bandwidth, delay_s or delay, and loss. Without a unit in a
 * column's name, each value has one, such as 10Mbps. An empty value changes nothing. Each time is
 * after the one before.
 *
 * @param path the file
 * @return its rows
 * @throws BadValue that names file and line
 */
std::vector<LinkChange> ReadLinkChanges(const std::string& path);

} // namespace tcpsweep

#endif // TCPSWEEP_SCHEDULE_FILE_H
