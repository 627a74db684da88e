// SPDX-License-Identifier: GPL-2.0-only
// Registers another type's name.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

class TcpRegistersAnother : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpAnother")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpRegistersAnother>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpRegistersAnother";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpRegistersAnother>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpRegistersAnother);

} // namespace ns3
