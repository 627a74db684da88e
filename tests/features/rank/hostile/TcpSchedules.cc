// SPDX-License-Identifier: GPL-2.0-only
// Acts when it was not called.
#include <ns3/simulator.h>
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

class TcpSchedules : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpSchedules")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpSchedules>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpSchedules";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpSchedules>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        Simulator::Schedule(MilliSeconds(1), [tcb] { tcb->m_cWnd = 100 * tcb->m_segmentSize; });
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpSchedules);

} // namespace ns3
