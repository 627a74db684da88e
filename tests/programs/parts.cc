// SPDX-License-Identifier: GPL-2.0-only
#include "network/random-loss.h"
#include "traces/received-ranges.h"

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
 */

int
main()
{
    std::cout << std::setprecision(std::numeric_limits<double>::max_digits10);
    tcpsweep::ReceivedRanges ranges;
    for (std::string part; std::cin >> part;)
    {
        if (part == "segment")
        {
            uint32_t begin = 0;
            uint32_t size = 0;
            bool syn = false;
            std::cin >> begin >> size >> syn;
            std::cout << ranges.Add(ns3::SequenceNumber32(begin), size, syn) << '\n';
        }
        else
        {
            double loss = 0;
            uint32_t length = 0;
            std::cin >> loss >> length;
            std::cout << tcpsweep::BurstRate(loss, length) << '\n';
        }
    }
}
