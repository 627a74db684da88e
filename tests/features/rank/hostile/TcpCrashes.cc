// SPDX-License-Identifier: GPL-2.0-only
// Writes to an address that does not exist.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

class TcpCrashes : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpCrashes")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpCrashes>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpCrashes";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpCrashes>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        *reinterpret_cast<volatile int*>(segmentsAcked) = 1;
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpCrashes);

} // namespace ns3
