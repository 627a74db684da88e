// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/tcp-congestion-ops.h>

#include <algorithm>

namespace ns3
{

/**
 * A submission that looks at the delay: it grows as Reno while the round trip is less than 1.25
 * times the smallest one, else it shrinks by as much. After a loss, 0.7 of the window are left.
 */
class TcpCareful : public TcpNewReno
{
  public:
    /// @return the type's id
    static TypeId GetTypeId();

    std::string GetName() const override;
    uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight) override;
    Ptr<TcpCongestionOps> Fork() override;
    void PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override;

  protected:
    void CongestionAvoidance(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked) override;

  private:
    double m_rest{0};     //!< bytes of the next addition, less than one
    double m_minRtt{1e9}; //!< the smallest round trip in s
    double m_lastRtt{0};  //!< the last round trip in s
};

NS_OBJECT_ENSURE_REGISTERED(TcpCareful);

TypeId
TcpCareful::GetTypeId()
{
    static const TypeId tid = TypeId("ns3::TcpCareful")
                                  .SetParent<TcpNewReno>()
                                  .SetGroupName("Internet")
                                  .AddConstructor<TcpCareful>();
    return tid;
}

std::string
TcpCareful::GetName() const
{
    return "TcpCareful";
}

uint32_t
TcpCareful::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight)
{
    return std::max(static_cast<uint32_t>(0.7 * bytesInFlight), 2 * tcb->m_segmentSize);
}

void
TcpCareful::PktsAcked(Ptr<TcpSocketState>, uint32_t, const Time& rtt)
{
    if (rtt.IsStrictlyPositive())
    {
        m_lastRtt = rtt.GetSeconds();
        m_minRtt = std::min(m_minRtt, m_lastRtt);
    }
}

void
TcpCareful::CongestionAvoidance(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked)
{
    const double segment = tcb->m_segmentSize;
    const double change = segmentsAcked * segment * segment / tcb->m_cWnd.Get();
    if (m_lastRtt > 1.25 * m_minRtt)
    {
        tcb->m_cWnd = std::max(2 * tcb->m_segmentSize, static_cast<uint32_t>(tcb->m_cWnd - change));
        return;
    }
    m_rest += change;
    const auto whole = static_cast<uint32_t>(m_rest);
    m_rest -= whole;
    tcb->m_cWnd += whole;
}

Ptr<TcpCongestionOps>
TcpCareful::Fork()
{
    return CopyObject<TcpCareful>(this);
}

} // namespace ns3
