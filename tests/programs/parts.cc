// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/ack-aggregation.h"
#include "corrections/application-writes.h"
#include "corrections/policer-detection.h"
#include "network/random-loss.h"
#include "traces/received-ranges.h"

#include <ns3/nstime.h>
#include <ns3/simulator.h>

#include <cstdint>
#include <iomanip>
#include <iostream>
#include <limits>
#include <string>

/**
 * @file
 * Calls single parts of the scenarios, one call per line of its input, and writes each result:
 *
 *     segment BEGIN SIZE SYN   ReceivedRanges::Add() of one connection
 *     burst LOSS LENGTH        BurstRate()
 *     bunch NS ACKED ROUND BPS WINDOW
 *                              AckAggregation::Receive() after so many nanoseconds, then its Most()
 *     policer NS DELIVERED LOST HASLOSS APPLICATION ROUND CYCLING
 *                              PolicerDetection::Receive() after so many nanoseconds, then its
 *                              IsLimited() and Rate()
 */

namespace
{

constexpr uint32_t SEGMENT = 1448; //!< bytes

/// @return the next word as a value
template <typename T>
T
Next()
{
    T value{};
    std::cin >> value;
    return value;
}

/// Let as many nanoseconds of the simulation pass as the next word says.
void
Wait()
{
    ns3::Simulator::Stop(ns3::NanoSeconds(Next<int64_t>()));
    ns3::Simulator::Run();
}

} // namespace

int
main()
{
    std::cout << std::setprecision(std::numeric_limits<double>::max_digits10);
    tcpsweep::ReceivedRanges ranges;
    tcpsweep::AckAggregation aggregation;
    tcpsweep::PolicerDetection policer;
    for (std::string part; std::cin >> part;)
    {
        if (part == "segment")
        {
            const ns3::SequenceNumber32 begin(Next<uint32_t>());
            const auto size = Next<uint32_t>();
            std::cout << ranges.Add(begin, size, Next<bool>()) << '\n';
        }
        else if (part == "burst")
        {
            const auto loss = Next<double>();
            std::cout << tcpsweep::BurstRate(loss, Next<uint32_t>()) << '\n';
        }
        else if (part == "room")
        {
            tcpsweep::ApplicationWrites writes(Next<uint32_t>());
            const ns3::SequenceNumber32 begin(1);
            writes.Continue(begin, begin, Next<uint32_t>() * SEGMENT, SEGMENT);
            uint32_t segments = 1;
            while (!writes.EndIn(begin, begin + static_cast<int32_t>(segments * SEGMENT)))
            {
                ++segments;
            }
            std::cout << segments << '\n';
        }
        else if (part == "bunch")
        {
            Wait();
            const auto acked = Next<uint32_t>();
            const auto isRoundStart = Next<bool>();
            const ns3::DataRate bandwidth(Next<uint64_t>());
            aggregation.Receive({acked, isRoundStart, bandwidth, Next<uint32_t>(), SEGMENT});
            std::cout << aggregation.Most() << '\n';
        }
        else if (part == "policer")
        {
            Wait();
            tcpsweep::PolicerDetection::Ack ack{};
            std::cin >> ack.delivered >> ack.lost >> ack.hasLoss >> ack.isApplicationLimited >>
                ack.isRoundStart >> ack.isCycling;
            std::cout << policer.Receive(ack) << ' ' << policer.IsLimited() << ' '
                      << policer.Rate().GetBitRate() << '\n';
        }
    }
}
