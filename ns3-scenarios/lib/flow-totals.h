// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_FLOW_TOTALS_H
#define TCPSWEEP_FLOW_TOTALS_H

#include <ns3/flow-monitor-helper.h>

#include <filesystem>

namespace tcpsweep
{

/// `flow.xml`: what FlowMonitor counts of each flow, over the whole simulation.
class FlowTotals
{
  public:
    /**
     * Follow the packets of all nodes from now on.
     *
     * @param path the file
     */
    explicit FlowTotals(const std::filesystem::path& path);

    FlowTotals(const FlowTotals&) = delete;
    FlowTotals& operator=(const FlowTotals&) = delete;

    /**
     * Write the file.
     *
     * @throws OutputError
     */
    void Write();

  private:
    std::filesystem::path m_path;         //!< the file's path
    ns3::FlowMonitorHelper m_helper;      //!< owns the monitor's probes
    ns3::Ptr<ns3::FlowMonitor> m_monitor; //!< the monitor
};

} // namespace tcpsweep

#endif // TCPSWEEP_FLOW_TOTALS_H
