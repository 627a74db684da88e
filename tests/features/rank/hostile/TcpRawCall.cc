// SPDX-License-Identifier: GPL-2.0-only
// Makes a system call without a function.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

class TcpRawCall : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpRawCall")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpRawCall>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpRawCall";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpRawCall>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        long result = 57;
        asm volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpRawCall);

} // namespace ns3
