// SPDX-License-Identifier: GPL-2.0-only
// Changes other flows by a path.
#include <ns3/config.h>
#include <ns3/tcp-congestion-ops.h>
#include <ns3/uinteger.h>

namespace ns3
{

class TcpSetsOthers : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpSetsOthers")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpSetsOthers>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpSetsOthers";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpSetsOthers>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        Config::Set("/NodeList/*/$ns3::TcpL4Protocol/SocketList/*/SegmentSize", UintegerValue(100));
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpSetsOthers);

} // namespace ns3
