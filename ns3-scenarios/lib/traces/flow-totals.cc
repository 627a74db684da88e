// SPDX-License-Identifier: GPL-2.0-only
#include "traces/flow-totals.h"

namespace tcpsweep
{

FlowTotals::FlowTotals(const std::filesystem::path& path, const ns3::NodeContainer& hosts)
    : m_path(path),
      m_monitor(m_helper.Install(hosts))
{
    // Without hosts, the helper makes none.
    m_monitor = m_helper.GetMonitor();
}

ns3::Time
FlowTotals::Patience()
{
    // Not from an object: each schedules its own start.
    ns3::TypeId::AttributeInformation attribute;
    ns3::FlowMonitor::GetTypeId().LookupAttributeByName("MaxPerHopDelay", &attribute);
    return ns3::DynamicCast<const ns3::TimeValue>(attribute.initialValue)->Get();
}

void
FlowTotals::Write(Checksums& checksums)
{
    m_monitor->CheckForLostPackets();
    WriteWhole(
        m_path,
        [this](std::ostream& os)
        {
            os << "<?xml version=\"1.0\" ?>\n";
            m_monitor->SerializeToXmlStream(os, 0, false, false);
        },
        checksums);
}

} // namespace tcpsweep
