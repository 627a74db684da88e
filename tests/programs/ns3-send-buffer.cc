// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>

#include <algorithm>
#include <ctime>
#include <iostream>

/**
 * @file
 * A bug report for ns-3, with ns-3 alone: where asserts are compiled in, the time to find a segment
 * in the send buffer grows with the square of the number of segments in it. The program prints the
 * CPU time to retransmit the last segment of 1000 and of 4000, in microseconds.
 */

using namespace ns3;

namespace
{

/**
 * @param segments how many segments were sent
 * @return the CPU time to retransmit the last one, in microseconds: the least of several
 */
double
RetransmissionTime(uint32_t segments)
{
    const uint32_t size = 1448;
    const SequenceNumber32 head(1);
    const auto buffer = CreateObject<TcpTxBuffer>();
    buffer->SetHeadSequence(head);
    buffer->SetSegmentSize(size);
    buffer->SetMaxBufferSize(segments * size);
    buffer->SetRWndCallback(MakeCallback(+[]() { return UINT32_MAX; }));
    for (uint32_t i = 0; i < segments; ++i)
    {
        buffer->Add(Create<Packet>(size));
        buffer->CopyFromSequence(size, head + i * size);
    }
    auto least = CLOCKS_PER_SEC;
    for (int i = 0; i < 10; ++i)
    {
        const auto begin = std::clock();
        buffer->CopyFromSequence(size, head + (segments - 1) * size);
        least = std::min(least, std::clock() - begin);
    }
    return 1e6 * static_cast<double>(least) / CLOCKS_PER_SEC;
}

} // namespace

int
main()
{
    std::cout << RetransmissionTime(1000) << ' ' << RetransmissionTime(4000) << '\n';
    return 0;
}
