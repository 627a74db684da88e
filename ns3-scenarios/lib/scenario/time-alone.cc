// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/time-alone.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tcpsweep
{

namespace
{

/**
 * The least time of a transfer. It is the sum of the propagation delays of its handshake, if it has
 * one, of its requests and of its first bit; the transmission time of its bytes, with the headers
 * of each segment, at the narrowest link; and one packet at every other link. Slow start is not
 * included, as in the ideal completion times of data-centre papers (Alizadeh et al., pFabric,
 * SIGCOMM 2013; Li et al., HPCC, SIGCOMM 2019).
 *
 * @param way the links of its path
 * @param transfer the transfer
 * @param segmentBytes payload of a full segment
 * @param wirePacketBytes bytes of a full segment on the wire
 * @return the time
 */
ns3::Time
TimeOnEmptyNetwork(const std::vector<LeastStep>& way,
                   const Transfer& transfer,
                   uint32_t segmentBytes,
                   uint32_t wirePacketBytes)
{
    const auto bytes = transfer.bytes;
    const uint64_t segments = std::max<uint64_t>(1, (bytes + segmentBytes - 1) / segmentBytes);
    const uint32_t headers = wirePacketBytes - segmentBytes;
    const double wireBytes = static_cast<double>(bytes + segments * headers);
    const double packet = std::min<double>(static_cast<double>(wireBytes), wirePacketBytes);
    ns3::Time there;
    ns3::Time back;
    double narrowest = 0;
    double packets = 0;
    for (const auto& step : way)
    {
        there += step.delay;
        back += step.back;
        const double perByte = 8 / static_cast<double>(step.bandwidth.GetBitRate());
        packets += packet * perByte;
        narrowest = std::max(narrowest, perByte);
    }
    // The packets of handshakes and requests are short.
    return transfer.waysThere * there + transfer.waysBack * back +
           ns3::Seconds((wireBytes - packet) * narrowest + packets);
}

} // namespace

TimeAlone
MakeTimeAlone(const Network& network, const ScenarioParameters& p)
{
    std::unordered_map<uint32_t, std::string> names;
    for (const auto& [name, node] : network.nodes)
    {
        names[node->GetId()] = name;
    }
    return [names,
            way = network.leastWay,
            &p,
            ways = std::map<std::pair<int32_t, int32_t>, std::optional<std::vector<LeastStep>>>()](
               const Transfer& transfer) mutable -> std::optional<ns3::Time>
    {
        if (transfer.from < 0 || transfer.to < 0)
        {
            return std::nullopt;
        }
        const auto [found, isNew] = ways.try_emplace({transfer.from, transfer.to});
        if (isNew)
        {
            found->second = way(names.at(static_cast<uint32_t>(transfer.from)),
                                names.at(static_cast<uint32_t>(transfer.to)));
        }
        if (!found->second)
        {
            return std::nullopt;
        }
        const auto segment = p.traffic[transfer.traffic].segmentBytes;
        return TimeOnEmptyNetwork(*found->second, transfer, segment, p.WireBytes(segment));
    };
}

} // namespace tcpsweep
