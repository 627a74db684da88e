// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/tcp-congestion-ops.h>

#include <algorithm>

namespace ns3
{

/**
 * A submission that gives up too much: a quarter of a segment more each round trip, three tenths
 * left after a loss.
 */
class TcpShy : public TcpNewReno
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

NS_OBJECT_ENSURE_REGISTERED(TcpShy);

TypeId
TcpShy::GetTypeId()
{
    static const TypeId tid = TypeId("ns3::TcpShy")
                                  .SetParent<TcpNewReno>()
                                  .SetGroupName("Internet")
                                  .AddConstructor<TcpShy>();
    return tid;
}

std::string
TcpShy::GetName() const
{
    return "TcpShy";
}

uint32_t
TcpShy::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight)
{
    return std::max(static_cast<uint32_t>(0.3 * bytesInFlight), 2 * tcb->m_segmentSize);
}

void
TcpShy::CongestionAvoidance(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked)
{
    const double segment = tcb->m_segmentSize;
    m_rest += 0.25 * segmentsAcked * segment * segment / tcb->m_cWnd.Get();
    const auto whole = static_cast<uint32_t>(m_rest);
    m_rest -= whole;
    tcb->m_cWnd += whole;
}

Ptr<TcpCongestionOps>
TcpShy::Fork()
{
    return CopyObject<TcpShy>(this);
}

} // namespace ns3
