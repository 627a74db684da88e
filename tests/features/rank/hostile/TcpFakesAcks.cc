// SPDX-License-Identifier: GPL-2.0-only
// Writes fields that are not its own. The audit finds it.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

class TcpFakesAcks : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpFakesAcks")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpFakesAcks>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpFakesAcks";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpFakesAcks>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        tcb->m_lastAckedSeq = tcb->m_highTxMark;
        tcb->m_bytesInFlight = 0;
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpFakesAcks);

} // namespace ns3
