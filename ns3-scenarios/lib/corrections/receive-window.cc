// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/receive-window.h"

#include <ns3/simulator.h>

#include <algorithm>

namespace tcpsweep
{

namespace
{

constexpr uint32_t FIRST_WINDOW = UINT16_MAX; //!< the window of the handshake
constexpr uint64_t FIRST_BOUND = UINT16_MAX + 1;
/// Of a buffer, the share for data: 1,448 bytes in a page fragment of 2,304.
constexpr double SHARE = 160.0 / 256;
constexpr uint64_t FIRST_BUFFER = 131072 * SHARE;    //!< of net.ipv4.tcp_rmem[1]
constexpr uint64_t LARGEST_BUFFER = 6291456 * SHARE; //!< of net.ipv4.tcp_rmem[2]
constexpr uint32_t FIRST_READ_SEGMENTS = 10;         //!< TCP_INIT_CWND
constexpr uint32_t SPARE_SEGMENTS = 16; //!< in addition to twice the data of a round trip

} // namespace

bool
ReceiveWindow::Receive(ns3::SequenceNumber32 next,
                       uint32_t bytes,
                       uint32_t heldBytes,
                       uint32_t largest)
{
    if (!m_hasBegun)
    {
        m_hasBegun = true;
        m_clamp = FIRST_BUFFER;
        m_buffer = FIRST_BUFFER;
        m_bound = FIRST_BOUND - largest;
        m_lastRead = FIRST_READ_SEGMENTS * largest;
        m_segment = largest;
        m_readAt = ns3::Simulator::Now();
        m_readFrom = next;
        m_end = next + FIRST_WINDOW;
    }
    const uint64_t held = heldBytes + bytes;
    m_buffer = std::max(m_buffer, std::min(held, LARGEST_BUFFER)); // tcp_clamp_window()
    const auto most = std::min(m_clamp, m_buffer - std::min(m_buffer, held));
    if (most <= m_bound)
    {
        return false;
    }
    m_bound = std::min<uint64_t>(most, m_bound + 2 * std::max(bytes, largest));
    return true;
}

void
ReceiveWindow::MeasureRtt(ns3::Time rtt)
{
    // tcp_rcv_rtt_update() in Linux.
    m_rtt = m_rtt.IsZero() ? rtt : std::min(rtt, m_rtt + (rtt - m_rtt) / 8);
}

void
ReceiveWindow::Read(ns3::SequenceNumber32 next)
{
    const auto now = ns3::Simulator::Now();
    if (m_rtt.IsZero() || now - m_readAt < m_rtt)
    {
        return;
    }
    const uint64_t read = next - m_readFrom;
    if (read > m_lastRead)
    {
        uint64_t window = 2 * read + SPARE_SEGMENTS * m_segment;
        window += 2 * (window * (read - m_lastRead) / m_lastRead);
        window = std::min(window, LARGEST_BUFFER);
        if (window > m_buffer)
        {
            m_buffer = window;
            m_clamp = window;
        }
        m_lastRead = read;
    }
    m_readFrom = next;
    m_readAt = now;
}

uint64_t
ReceiveWindow::Choose(uint32_t heldBytes) const
{
    const auto room = m_buffer - std::min<uint64_t>(m_buffer, heldBytes);
    if (room < m_clamp / 2 && (room < m_buffer / 16 || room < m_segment))
    {
        return 0;
    }
    return std::min(room, m_bound);
}

uint32_t
ReceiveWindow::Offer(ns3::SequenceNumber32 next, uint32_t heldBytes, uint8_t shift)
{
    if (!m_hasBegun)
    {
        return FIRST_WINDOW;
    }
    const uint64_t kept = std::max(m_end - next, 0);
    const uint64_t lost = (1U << shift) - 1; // bytes that the header cannot say
    const auto window = static_cast<uint32_t>((std::max(kept, Choose(heldBytes)) + lost) & ~lost);
    m_end = next + static_cast<int32_t>(window);
    return window;
}

bool
ReceiveWindow::HasDoubled(ns3::SequenceNumber32 next, uint32_t heldBytes) const
{
    const uint64_t offered = std::max(m_end - next, 0);
    const auto window = Choose(heldBytes);
    return 2 * offered <= m_clamp && window > 0 && window >= 2 * offered;
}

} // namespace tcpsweep
