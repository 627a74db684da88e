// SPDX-License-Identifier: GPL-2.0-only
// Includes a file above its own folder.
#include "../test_vetting.py"

#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

class TcpIncludesAbove : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpIncludesAbove")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpIncludesAbove>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpIncludesAbove";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpIncludesAbove>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpIncludesAbove);

} // namespace ns3
