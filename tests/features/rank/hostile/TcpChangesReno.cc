// SPDX-License-Identifier: GPL-2.0-only
// Changes ns-3's own type.
#include <ns3/double.h>
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

static const bool g_changed = []
{
    TcpNewReno::GetTypeId().AddAttribute("Other",
                                         "None",
                                         DoubleValue(1),
                                         Ptr<AttributeAccessor>(),
                                         MakeDoubleChecker<double>());
    return true;
}();

class TcpChangesReno : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpChangesReno")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpChangesReno>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpChangesReno";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpChangesReno>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpChangesReno);

} // namespace ns3
