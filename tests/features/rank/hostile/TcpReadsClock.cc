// SPDX-License-Identifier: GPL-2.0-only
// Reads the processor's counter of cycles.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

class TcpReadsClock : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpReadsClock")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpReadsClock>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpReadsClock";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpReadsClock>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        tcb->m_cWnd = tcb->m_cWnd + __builtin_ia32_rdtsc() % 2;
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpReadsClock);

} // namespace ns3
