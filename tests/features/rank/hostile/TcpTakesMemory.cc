// SPDX-License-Identifier: GPL-2.0-only
// Takes memory without end.
#include <ns3/tcp-congestion-ops.h>

#include <string>
#include <vector>

namespace ns3
{

class TcpTakesMemory : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpTakesMemory")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpTakesMemory>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpTakesMemory";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpTakesMemory>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        for (;;)
        {
            m_taken.emplace_back(1 << 24, 'x');
        }
    }

    std::vector<std::string> m_taken;
};

NS_OBJECT_ENSURE_REGISTERED(TcpTakesMemory);

} // namespace ns3
