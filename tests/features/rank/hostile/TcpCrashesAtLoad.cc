// SPDX-License-Identifier: GPL-2.0-only
// Writes to an address that does not exist while its library is loaded.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

static const int g_crash = []
{
    *reinterpret_cast<volatile int*>(8) = 1;
    return 0;
}();

class TcpCrashesAtLoad : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpCrashesAtLoad")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpCrashesAtLoad>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpCrashesAtLoad";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpCrashesAtLoad>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpCrashesAtLoad);

} // namespace ns3
