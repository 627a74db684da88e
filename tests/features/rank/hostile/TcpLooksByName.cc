// SPDX-License-Identifier: GPL-2.0-only
// Looks for an object by its name.
#include <ns3/names.h>
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

class TcpLooksByName : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpLooksByName")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpLooksByName>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpLooksByName";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpLooksByName>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        if (Names::Find<Object>("/Names/bottleneck"))
        {
            tcb->m_cWnd = tcb->m_segmentSize;
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpLooksByName);

} // namespace ns3
