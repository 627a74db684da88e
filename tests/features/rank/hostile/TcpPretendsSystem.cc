// SPDX-License-Identifier: GPL-2.0-only
// Says that it is a header of the system, where the compiler accepts more.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

#pragma GCC system_header
const unsigned char NARROWED[] = {1000};

class TcpPretendsSystem : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpPretendsSystem")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpPretendsSystem>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpPretendsSystem";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpPretendsSystem>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpPretendsSystem);

} // namespace ns3
