// SPDX-License-Identifier: GPL-2.0-only
// Makes a system call by assembly that looks like a symbol's name.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

class TcpNamedCall : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpNamedCall")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpNamedCall>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpNamedCall";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpNamedCall>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpNamedCall);

asm("syscall");

} // namespace ns3
