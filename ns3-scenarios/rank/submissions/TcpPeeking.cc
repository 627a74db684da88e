// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/node-list.h>
#include <ns3/tcp-congestion-ops.h>

#include <algorithm>

namespace ns3
{

/**
 * A submission that cheats: it asks the simulated network how many nodes, and so how many flows,
 * there are.
 */
class TcpPeeking : public TcpNewReno
{
  public:
    /// @return the type's id
    static TypeId GetTypeId();

    std::string GetName() const override;
    uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight) override;
    Ptr<TcpCongestionOps> Fork() override;

  protected:
    void CongestionAvoidance(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked) override;

  private:
    double m_rest{0}; //!< bytes of the next addition, less than one
};

NS_OBJECT_ENSURE_REGISTERED(TcpPeeking);

TypeId
TcpPeeking::GetTypeId()
{
    static const TypeId tid = TypeId("ns3::TcpPeeking")
                                  .SetParent<TcpNewReno>()
                                  .SetGroupName("Internet")
                                  .AddConstructor<TcpPeeking>();
    return tid;
}

std::string
TcpPeeking::GetName() const
{
    return "TcpPeeking";
}

uint32_t
TcpPeeking::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight)
{
    return std::max(static_cast<uint32_t>(0.7 * bytesInFlight), 2 * tcb->m_segmentSize);
}

void
TcpPeeking::CongestionAvoidance(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked)
{
    const double segment = tcb->m_segmentSize;
    const double share = 4.0 / NodeList::GetNNodes();
    m_rest += share * 4 * segmentsAcked * segment * segment / tcb->m_cWnd.Get();
    const auto whole = static_cast<uint32_t>(m_rest);
    m_rest -= whole;
    tcb->m_cWnd += whole;
}

Ptr<TcpCongestionOps>
TcpPeeking::Fork()
{
    return CopyObject<TcpPeeking>(this);
}

} // namespace ns3
