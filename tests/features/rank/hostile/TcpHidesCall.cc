// SPDX-License-Identifier: GPL-2.0-only
// Calls a function of the host whose symbol is protected, so that it is listed in another form.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

extern "C" __attribute__((visibility("protected"))) void* fopen(const char* name, const char* mode);

class TcpHidesCall : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpHidesCall")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpHidesCall>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpHidesCall";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpHidesCall>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        (void)fopen("/etc/passwd", "r");
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpHidesCall);

} // namespace ns3
