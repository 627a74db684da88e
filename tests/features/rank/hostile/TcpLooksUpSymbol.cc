// SPDX-License-Identifier: GPL-2.0-only
// Looks up a function of the host.
#include <ns3/tcp-congestion-ops.h>

#include <dlfcn.h>

namespace ns3
{

class TcpLooksUpSymbol : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpLooksUpSymbol")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpLooksUpSymbol>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpLooksUpSymbol";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpLooksUpSymbol>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        dlsym(nullptr, "system");
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpLooksUpSymbol);

} // namespace ns3
