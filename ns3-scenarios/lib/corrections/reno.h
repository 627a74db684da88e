// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_RENO_H
#define TCPSWEEP_RENO_H

#include <ns3/tcp-linux-reno.h>

#include <cstdint>

namespace tcpsweep
{

/**
 * Reno as in Linux 6.12 (tcp_reno_cong_avoid() in net/ipv4/tcp_cong.c). What ns-3's does otherwise
 * (tcp-linux-reno.cc, 3.44):
 * - A reduction of the window keeps the count of acknowledged segments. So the window grows early
 *   by one segment, after half a round trip on average.
 * - The threshold is half the window in bytes, also with half a segment.
 * - An ACK that ends slow start does not count for congestion avoidance.
 * - In slow start, the window grows even if it does not limit the sender.
 */
class Reno : public ns3::TcpLinuxReno
{
  public:
    /// @return the type's id
    static ns3::TypeId GetTypeId();

    Reno() = default;

    void IncreaseWindow(ns3::Ptr<ns3::TcpSocketState> tcb, uint32_t segments) override;
    uint32_t GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> tcb, uint32_t inFlight) override;
    void CongestionStateSet(ns3::Ptr<ns3::TcpSocketState> tcb,
                            const ns3::TcpSocketState::TcpCongState_t state) override;
    ns3::Ptr<ns3::TcpCongestionOps> Fork() override;

  private:
    uint32_t m_count{0}; //!< segments acknowledged since the window last grew
};

} // namespace tcpsweep

#endif // TCPSWEEP_RENO_H
