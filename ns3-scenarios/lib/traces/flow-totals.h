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
     * @param path the file
     * @param hosts the nodes where flows begin and end
     */
    FlowTotals(const std::filesystem::path& path, const ns3::NodeContainer& hosts);

    FlowTotals(const FlowTotals&) = delete;
    FlowTotals& operator=(const FlowTotals&) = delete;

    /// @return the time after which FlowMonitor counts a packet as lost
    static ns3::Time Patience();

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
