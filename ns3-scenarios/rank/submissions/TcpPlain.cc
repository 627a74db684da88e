// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/tcp-congestion-ops.h>

#include <algorithm>

namespace ns3
{

/**
 * A submission that is right and plain: Reno, one segment more each round trip, half after a loss.
 */
class TcpPlain : public TcpNewReno
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

NS_OBJECT_ENSURE_REGISTERED(TcpPlain);

TypeId
TcpPlain::GetTypeId()
{
    static const TypeId tid = TypeId("ns3::TcpPlain")
                                  .SetParent<TcpNewReno>()
                                  .SetGroupName("Internet")
                                  .AddConstructor<TcpPlain>();
    return tid;
}

std::string
TcpPlain::GetName() const
{
    return "TcpPlain";
}

uint32_t
TcpPlain::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight)
{
    return std::max(static_cast<uint32_t>(0.5 * bytesInFlight), 2 * tcb->m_segmentSize);
}

void
TcpPlain::CongestionAvoidance(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked)
{
    const double segment = tcb->m_segmentSize;
    m_rest += 1.0 * segmentsAcked * segment * segment / tcb->m_cWnd.Get();
    const auto whole = static_cast<uint32_t>(m_rest);
    m_rest -= whole;
    tcb->m_cWnd += whole;
}

Ptr<TcpCongestionOps>
TcpPlain::Fork()
{
    return CopyObject<TcpPlain>(this);
}

} // namespace ns3
