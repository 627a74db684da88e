// SPDX-License-Identifier: GPL-2.0-only
// Never ends while its library is loaded.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

static const int g_forever = []
{
    for (volatile int i = 0;; i = i + 1)
    {
    }
    return 0;
}();

class TcpLoopsAtLoad : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpLoopsAtLoad")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpLoopsAtLoad>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpLoopsAtLoad";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpLoopsAtLoad>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpLoopsAtLoad);

} // namespace ns3
