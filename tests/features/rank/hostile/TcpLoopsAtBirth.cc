// SPDX-License-Identifier: GPL-2.0-only
// Never ends when an object is made.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

class TcpLoopsAtBirth : public TcpNewReno
{
  public:
    TcpLoopsAtBirth()
    {
        for (volatile int i = 0;; i = i + 1)
        {
        }
    }

    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpLoopsAtBirth")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpLoopsAtBirth>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpLoopsAtBirth";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpLoopsAtBirth>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpLoopsAtBirth);

} // namespace ns3
