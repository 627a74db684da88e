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

/// The changes of a link at a time; a property without a value stays the same.
struct LinkChange
{
    ns3::Time time;                         //!< when
    std::optional<ns3::DataRate> bandwidth; //!< the rate from then on
    std::optional<ns3::Time> delay;         //!< the delay from then on
    std::optional<double> loss;             //!< the probability of a loss from then on
};

/**
 * Read the schedule of a link: comma-separated values, without quotes. Lines that begin with # and
 * empty lines are ignored. The first other line names the columns: time_s or time, which is
 * required, bandwidth_bps or bandwidth, delay_s or delay, and loss. If a column's name has no unit,
 * each value needs one, such as 10Mbps. An empty value changes nothing. Times increase.
 *
 * @param path the file
 * @return its rows
 * @throws BadValue that names file and line
 */
std::vector<LinkChange> ReadLinkChanges(const std::string& path);

} // namespace tcpsweep

#endif // TCPSWEEP_SCHEDULE_FILE_H
