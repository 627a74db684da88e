// SPDX-License-Identifier: GPL-2.0-only
// Changes the resolution of all times.
#include <ns3/nstime.h>
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

class TcpChangesTime : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpChangesTime")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpChangesTime>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpChangesTime";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpChangesTime>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        Time::SetResolution(Time::PS);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpChangesTime);

} // namespace ns3
