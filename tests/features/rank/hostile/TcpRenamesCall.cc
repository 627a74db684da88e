// SPDX-License-Identifier: GPL-2.0-only
// Calls a function of the host by another name.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

extern "C" int renamed(const char* command) asm("system");

class TcpRenamesCall : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpRenamesCall")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpRenamesCall>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpRenamesCall";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpRenamesCall>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        renamed("id");
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpRenamesCall);

} // namespace ns3
