// SPDX-License-Identifier: GPL-2.0-only
// Draws random numbers.
#include <ns3/random-variable-stream.h>
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

class TcpDrawsNumbers : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpDrawsNumbers")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpDrawsNumbers>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpDrawsNumbers";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpDrawsNumbers>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        tcb->m_cWnd = CreateObject<UniformRandomVariable>()->GetInteger(1, 10) * tcb->m_segmentSize;
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpDrawsNumbers);

} // namespace ns3
