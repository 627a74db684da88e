// SPDX-License-Identifier: GPL-2.0-only
// Changes other flows by a default.
#include <ns3/config.h>
#include <ns3/tcp-congestion-ops.h>
#include <ns3/uinteger.h>

namespace ns3
{

class TcpSetsDefaults : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpSetsDefaults")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpSetsDefaults>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpSetsDefaults";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpSetsDefaults>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(1));
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpSetsDefaults);

} // namespace ns3
