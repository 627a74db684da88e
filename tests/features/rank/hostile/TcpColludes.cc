// SPDX-License-Identifier: GPL-2.0-only
// Shares a variable between flows, so that one yields to the other. Reported, and found by the
// audit.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

class TcpColludes : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpColludes")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpColludes>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpColludes";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpColludes>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        s_acks += segmentsAcked;
        if (s_acks % 2)
        {
            tcb->m_cWnd = tcb->m_segmentSize;
        }
    }

    static inline uint32_t s_acks = 0;
};

NS_OBJECT_ENSURE_REGISTERED(TcpColludes);

} // namespace ns3
