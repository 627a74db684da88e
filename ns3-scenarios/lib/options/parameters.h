// SPDX-License-Identifier: GPL-2.0-only
// Made by `tcpsweep parameters ns3-scenarios/lib/options/parameters.h` from config/schema.yaml.
#ifndef TCPSWEEP_PARAMETERS_H
#define TCPSWEEP_PARAMETERS_H

namespace tcpsweep
{

/// A scenario parameter, as the schema of sweep files describes it.
struct Parameter
{
    const char* name;  //!< its name, and the option's
    const char* unit;  //!< the unit of its values; empty without one
    const char* value; //!< its default as text
};

/// All parameters that reach a simulator, in the order of their names.
constexpr Parameter PARAMETERS[] = {
    {"access_bandwidth", "bit/s", "1Gbps"},
    {"access_delay", "s", "1ms"},
    {"assignment", "", "auto"},
    {"band", "", "auto"},
    {"bandwidth", "bit/s", "10Mbps"},
    {"bytes", "B", "0"},
    {"cbr_flows", "1", "0"},
    {"cbr_packet_size", "B", "1024"},
    {"cbr_rate", "bit/s", "1Mbps"},
    {"cbr_start", "s", "0s"},
    {"cbr_stop", "s", "0s"},
    {"columns", "1", "3"},
    {"coverage", "m", "5"},
    {"delay", "s", "20ms"},
    {"device_queue", "packets or bytes", "1p"},
    {"duration", "s", "60s"},
    {"ecmp", "", "false"},
    {"ecn", "", "false"},
    {"ecn_threshold", "packets, bytes, bdp or s", "none"},
    {"flows", "1", "2"},
    {"ip", "", "4"},
    {"loss", "1", "0"},
    {"loss_burst", "packets", "1"},
    {"loss_on", "", "data"},
    {"loss_stream", "", "own"},
    {"loss_unit", "", "packet"},
    {"mesh_radius_left", "hops", "10"},
    {"mesh_radius_right", "hops", "1"},
    {"mtu", "B", "1500"},
    {"packet_jitter", "packet times", "1"},
    {"packet_rate", "packets/s", "0"},
    {"propagation", "", "RangePropagationLossModel"},
    {"queue", "packets, bytes or bdp", "1bdp"},
    {"queue_disc", "", "none"},
    {"rate_control", "", "AarfWifiManager"},
    {"receiver_access_bandwidth", "bit/s", "same"},
    {"receiver_access_delay", "s", "same"},
    {"receiver_program", "", "none"},
    {"reverse_flows", "1", "0"},
    {"segment_size", "B", "1448"},
    {"sender_program", "", "none"},
    {"socket_buffer", "B", "auto"},
    {"spacing", "m", "1"},
    {"stack", "", "ns-3"},
    {"standard", "", "802.11a"},
    {"start", "s", "0s"},
    {"start_jitter", "s", "auto"},
    {"start_stagger", "s", "0s"},
    {"stations", "1", "10"},
    {"step_bandwidth", "bit/s", "none"},
    {"step_delay", "s", "none"},
    {"step_time", "s", "0s"},
    {"stop", "s", "0s"},
    {"sysctls", "", "none"},
    {"variant", "", "TcpCubic"},
};

} // namespace tcpsweep

#endif // TCPSWEEP_PARAMETERS_H
