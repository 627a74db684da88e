// SPDX-License-Identifier: GPL-2.0-only
// Prints where a list of types is expected.
#include <ns3/tcp-congestion-ops.h>

#include <iostream>

namespace ns3
{

static const bool g_printed = static_cast<bool>(std::cout << "{\"types\": {}}");

class TcpPrintsAtLoad : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpPrintsAtLoad")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpPrintsAtLoad>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpPrintsAtLoad";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpPrintsAtLoad>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpPrintsAtLoad);

} // namespace ns3
