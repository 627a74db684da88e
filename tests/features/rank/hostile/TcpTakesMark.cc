// SPDX-License-Identifier: GPL-2.0-only
// Has the name of our mark, so that only a later compilation would fail.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

} // namespace ns3

extern "C" int tcpsweepMark = 1;

namespace ns3
{

class TcpTakesMark : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpTakesMark")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpTakesMark>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpTakesMark";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpTakesMark>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpTakesMark);

} // namespace ns3
