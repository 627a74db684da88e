// SPDX-License-Identifier: GPL-2.0-only
#include "traces/flow-totals.h"

namespace tcpsweep
{

namespace
{

constexpr auto MAX_PER_HOP_DELAY = "MaxPerHopDelay"; //!< FlowMonitor's attribute

/// @return what ns-3 knows of the attribute. Not from an object: each schedules its own start.
ns3::TypeId::AttributeInformation
PatienceAttribute()
{
    ns3::TypeId::AttributeInformation attribute;
    ns3::FlowMonitor::GetTypeId().LookupAttributeByName(MAX_PER_HOP_DELAY, &attribute);
    return attribute;
}

/// @param value a value of the attribute @return it
ns3::Time
PatienceIn(const ns3::Ptr<const ns3::AttributeValue>& value)
{
    return ns3::DynamicCast<const ns3::TimeValue>(value)->Get();
}

} // namespace

FlowTotals::FlowTotals(const std::filesystem::path& path,
                       const ns3::NodeContainer& hosts,
                       ns3::Time end)
    : m_path(path),
      m_monitor(m_helper.Install(hosts))
{
    // Without hosts, the helper makes none.
    m_monitor = m_helper.GetMonitor();
    if (!Forgets())
    {
        m_monitor->SetAttribute(MAX_PER_HOP_DELAY, ns3::TimeValue(end + Patience()));
    }
}

ns3::Time
FlowTotals::Patience()
{
    return PatienceIn(PatienceAttribute().initialValue);
}

bool
FlowTotals::Forgets()
{
    return Patience() != PatienceIn(PatienceAttribute().originalInitialValue);
}

void
FlowTotals::Write(Checksums& checksums)
{
    m_monitor->CheckForLostPackets(Patience());
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
