// SPDX-License-Identifier: GPL-2.0-only
// Has an include in a text, which searches for includes find.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

const char* const RAW = R"(
#include "TcpOther.h"
)";

class TcpIncludesInText : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpIncludesInText")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpIncludesInText>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpIncludesInText";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpIncludesInText>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpIncludesInText);

} // namespace ns3
