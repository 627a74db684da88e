// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/tcp-bbr.h>

#include <algorithm>

namespace ns3
{

/** BBR with a fault: where the base round trip is long, it keeps ten segments in flight. */
class TcpBrokenBbr : public TcpBbr
{
  public:
    /// @return the type's id
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpBrokenBbr")
                                      .SetParent<TcpBbr>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpBrokenBbr>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpBrokenBbr";
    }

    void
    CongControl(Ptr<TcpSocketState> tcb,
                const TcpRateOps::TcpRateConnection& rc,
                const TcpRateOps::TcpRateSample& rs) override
    {
        TcpBbr::CongControl(tcb, rc, rs);
        if (tcb->m_minRtt > MilliSeconds(140))
        {
            tcb->m_cWnd = std::min<uint32_t>(tcb->m_cWnd, 10 * tcb->m_segmentSize);
        }
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpBrokenBbr>(this);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpBrokenBbr);

} // namespace ns3
