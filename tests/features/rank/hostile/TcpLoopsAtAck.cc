// SPDX-License-Identifier: GPL-2.0-only
// Never ends at the first ACK.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

class TcpLoopsAtAck : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpLoopsAtAck")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpLoopsAtAck>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpLoopsAtAck";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpLoopsAtAck>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        for (volatile int i = 0;; i = i + 1)
        {
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpLoopsAtAck);

} // namespace ns3
