// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/all-traffic.h"

#include "scenario/time-alone.h"
#include "traffic/traffic-kinds.h"

#include <string>

namespace tcpsweep
{

AllTraffic::AllTraffic(const Network& network,
                       const ScenarioParameters& p,
                       const std::filesystem::path& folder)
    : m_network(network)
{
    if (p.traffic.empty())
    {
        return;
    }
    m_rows.emplace(folder, MakeTimeAlone(network, p));
    const auto nodes = [&network](const std::vector<std::string>& names)
    {
        std::vector<TrafficNode> found;
        for (const auto& name : names)
        {
            found.push_back({name, network.nodes.at(name)});
        }
        return found;
    };
    for (const auto& group : p.traffic)
    {
        TrafficPlace place;
        place.number = static_cast<uint32_t>(m_groups.size());
        place.name = group.name;
        place.from = nodes(group.from);
        place.to = nodes(group.to);
        place.variant = group.variant;
        place.hasOwnStream = group.hasOwnStream;
        place.segmentBytes = group.segmentBytes;
        place.datagramBytes = group.mtuBytes - IpHeaderBytes(p.ip) - UDP_HEADER_BYTES;
        place.fullRate = group.fullRate;
        m_groups.push_back(MakeTraffic(group.kind, group.options, place, &*m_rows));
    }
}

void
AllTraffic::Close(Checksums& checksums)
{
    for (const auto& group : m_groups)
    {
        group->Finish();
    }
    if (m_rows)
    {
        m_rows->Close(checksums);
    }
}

void
AllTraffic::Write(JsonWriter& json) const
{
    json.Key("traffic").BeginArray();
    for (const auto& group : m_groups)
    {
        group->Write(json);
    }
    json.EndArray();
    json.Member("node_names", m_network.nodeNames).Member("transfers", m_rows ? m_rows->Rows() : 0);
}

} // namespace tcpsweep
