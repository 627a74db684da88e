// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/tcp-congestion-ops.h>

#include <algorithm>

namespace ns3
{

/**
 * A submission that takes what it gets: eight segments more each round trip, nine tenths left after
 * a loss.
 */
class TcpGreedy : public TcpNewReno
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

NS_OBJECT_ENSURE_REGISTERED(TcpGreedy);

TypeId
TcpGreedy::GetTypeId()
{
    static const TypeId tid = TypeId("ns3::TcpGreedy")
                                  .SetParent<TcpNewReno>()
                                  .SetGroupName("Internet")
                                  .AddConstructor<TcpGreedy>();
    return tid;
}

std::string
TcpGreedy::GetName() const
{
    return "TcpGreedy";
}

uint32_t
TcpGreedy::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight)
{
    return std::max(static_cast<uint32_t>(0.9 * bytesInFlight), 2 * tcb->m_segmentSize);
}

void
TcpGreedy::CongestionAvoidance(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked)
{
    const double segment = tcb->m_segmentSize;
    m_rest += 8.0 * segmentsAcked * segment * segment / tcb->m_cWnd.Get();
    const auto whole = static_cast<uint32_t>(m_rest);
    m_rest -= whole;
    tcb->m_cWnd += whole;
}

Ptr<TcpCongestionOps>
TcpGreedy::Fork()
{
    return CopyObject<TcpGreedy>(this);
}

} // namespace ns3
