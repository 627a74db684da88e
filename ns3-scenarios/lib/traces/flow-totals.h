// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_FLOW_TOTALS_H
#define TCPSWEEP_FLOW_TOTALS_H

#include "output/output-file.h"

#include <ns3/flow-monitor-helper.h>

#include <filesystem>

namespace tcpsweep
{

/// `flow.xml`: FlowMonitor's counts of each flow, over the whole simulation.
class FlowTotals
{
  public:
    /**
     * Follow packets at the hosts from now on. Following them at the routers in between, too, would
     * add nothing to the totals and double the cost.
     *
     * By default, FlowMonitor forgets packets that it did not see for 10 s, and does not count
     * their arrival. Here it forgets none, unless MaxPerHopDelay is set.
     *
     * @param path the file
     * @param hosts the nodes where flows begin and end
     * @param end when the simulation ends
     */
    FlowTotals(const std::filesystem::path& path, const ns3::NodeContainer& hosts, ns3::Time end);

    FlowTotals(const FlowTotals&) = delete;
    FlowTotals& operator=(const FlowTotals&) = delete;

    /// @return how long before the end a packet must have been seen last to count as lost
    static ns3::Time Patience();

    /// @return whether FlowMonitor forgets packets after this time already during the simulation
    static bool Forgets();

    /**
     * Write the file.
     *
     * @param checksums gets its
     * @throws OutputError
     */
    void Write(Checksums& checksums);

  private:
    std::filesystem::path m_path;         //!< the file's path
    ns3::FlowMonitorHelper m_helper;      //!< owns the monitor's probes
    ns3::Ptr<ns3::FlowMonitor> m_monitor; //!< the monitor
};

} // namespace tcpsweep

#endif // TCPSWEEP_FLOW_TOTALS_H
