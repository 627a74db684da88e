// SPDX-License-Identifier: GPL-2.0-only
// Divides by zero.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

class TcpDividesByZero : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpDividesByZero")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpDividesByZero>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpDividesByZero";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpDividesByZero>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        volatile int zero = 0;
        tcb->m_cWnd = tcb->m_cWnd / zero;
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpDividesByZero);

} // namespace ns3
