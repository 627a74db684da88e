// SPDX-License-Identifier: GPL-2.0-only
#include "network/ack-filter.h"
#include "network/gilbert-elliott.h"
#include "network/opportunity-trace.h"
#include "network/schedule-file.h"
#include "network/token-bucket.h"
#include "options/errors.h"

#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * Calls parts of links that change by themselves, one call per line that it reads, and writes a
 * line for each:
 *
 *     trace PATH            OpportunityTrace::Read(): lines, period in ns, mean bit/s; for the next
 *     after NS              FirstAfter()
 *     time NUMBER           TimeOf() in ns
 *     schedule PATH         ReadLinkChanges(): for each row, time in ns, bit/s, delay in ns, loss
 *     bucket BPS BYTES      a new TokenBucket
 *     take NS BYTES         its Take()
 *     channel P R G B       StationaryLoss() and MeanBurst()
 *     lose P R G B COUNT    of so many packets, the losses of GilbertElliottModel, and their runs
 *     pure HEX              ReadPureAck() of an IP packet: number, echo, blocks
 *     filter MOST           a new AckFilter
 *     enter ID HEX          its Enter() for a packet of that number
 *     leave ID              its Leave()
 *     forget ID             its Forget()
 *
 * For a BadValue, the line is its message.
 */

namespace
{

using tcpsweep::AckFilter;
using tcpsweep::GilbertElliott;
using tcpsweep::OpportunityTrace;
using tcpsweep::TokenBucket;

/// What lines make and later ones use.
struct Made
{
    std::shared_ptr<const OpportunityTrace> trace;
    std::optional<TokenBucket> bucket;
    std::optional<AckFilter> filter;
};

/// @return the next word as a value
template <typename T>
T
Next()
{
    T value{};
    std::cin >> value;
    return value;
}

/// @return the next word's bytes, from two hexadecimal digits each
std::vector<uint8_t>
NextBytes()
{
    const auto text = Next<std::string>();
    std::vector<uint8_t> bytes;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    {
        bytes.push_back(static_cast<uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
    }
    return bytes;
}

/// @return the packet for the next number, an address that is never read
const ns3::Packet*
NextPacket()
{
    return reinterpret_cast<const ns3::Packet*>(Next<uintptr_t>());
}

/// @return the next four probabilities
GilbertElliott
NextChannel()
{
    GilbertElliott channel{};
    std::cin >> channel.goodToBad >> channel.badToGood >> channel.lossInGood >> channel.lossInBad;
    return channel;
}

/// @param made what lines make
void
ReadTrace(Made& made)
{
    made.trace = OpportunityTrace::Read(Next<std::string>());
    std::cout << made.trace->Count() << ' ' << made.trace->Period().GetNanoSeconds() << ' '
              << made.trace->MeanRate().GetBitRate();
}

/// Read a schedule and write its rows.
void
ReadSchedule()
{
    for (const auto& row : tcpsweep::ReadLinkChanges(Next<std::string>()))
    {
        std::cout << row.time.GetNanoSeconds() << ' '
                  << (row.bandwidth ? std::to_string(row.bandwidth->GetBitRate()) : "-") << ' '
                  << (row.delay ? std::to_string(row.delay->GetNanoSeconds()) : "-") << ' '
                  << row.loss.value_or(-1) << ' ';
    }
}

/// Let packets through the next channel.
void
Lose()
{
    const auto model = ns3::CreateObject<tcpsweep::GilbertElliottModel>();
    model->SetUp(NextChannel(), 7, 8);
    const auto packet = ns3::Create<ns3::Packet>();
    uint64_t lost = 0;
    uint64_t runs = 0;
    bool before = false;
    for (auto left = Next<uint64_t>(); left > 0; --left)
    {
        const bool isLost = model->IsCorrupt(packet);
        lost += isLost ? 1 : 0;
        runs += isLost && !before ? 1 : 0;
        before = isLost;
    }
    std::cout << lost << ' ' << runs;
}

/// Write the acknowledgment of the next packet.
void
WritePureAck()
{
    const auto bytes = NextBytes();
    const auto ack = tcpsweep::ReadPureAck(bytes.data(), bytes.size());
    if (!ack)
    {
        std::cout << "none";
        return;
    }
    std::cout << ack->number << ' ' << ack->echo;
    for (const auto& [from, to] : ack->blocks)
    {
        std::cout << ' ' << from << ' ' << to;
    }
}

/**
 * @param part which part
 * @param made what lines make
 */
void
Call(const std::string& part, Made& made)
{
    if (part == "trace")
    {
        ReadTrace(made);
    }
    else if (part == "after")
    {
        std::cout << made.trace->FirstAfter(ns3::NanoSeconds(Next<int64_t>()));
    }
    else if (part == "time")
    {
        std::cout << made.trace->TimeOf(Next<uint64_t>()).GetNanoSeconds();
    }
    else if (part == "schedule")
    {
        ReadSchedule();
    }
    else if (part == "bucket")
    {
        const auto rate = Next<uint64_t>();
        made.bucket.emplace(ns3::DataRate(rate), Next<uint64_t>());
    }
    else if (part == "take")
    {
        const auto now = ns3::NanoSeconds(Next<int64_t>());
        std::cout << made.bucket->Take(now, Next<uint32_t>());
    }
    else if (part == "channel")
    {
        const auto channel = NextChannel();
        std::cout << channel.StationaryLoss() << ' ' << channel.MeanBurst();
    }
    else if (part == "lose")
    {
        Lose();
    }
    else if (part == "pure")
    {
        WritePureAck();
    }
    else if (part == "filter")
    {
        made.filter.emplace(Next<uint32_t>());
    }
    else if (part == "enter")
    {
        const auto* const packet = NextPacket();
        const auto bytes = NextBytes();
        made.filter->Enter(packet, tcpsweep::ReadPureAck(bytes.data(), bytes.size()));
    }
    else if (part == "leave")
    {
        std::cout << made.filter->Leave(NextPacket());
    }
    else if (part == "forget")
    {
        made.filter->Forget(NextPacket());
    }
}

} // namespace

int
main()
{
    std::cout << std::setprecision(std::numeric_limits<double>::max_digits10);
    Made made;
    for (std::string part; std::cin >> part;)
    {
        try
        {
            Call(part, made);
        }
        catch (const tcpsweep::BadValue& error)
        {
            std::cout << error.what();
        }
        std::cout << std::endl;
    }
}
