// SPDX-License-Identifier: GPL-2.0-only
// Includes a file of the host as data.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

class TcpIncludesBytes : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpIncludesBytes")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpIncludesBytes>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpIncludesBytes";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpIncludesBytes>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpIncludesBytes);

asm(".incbin \"/etc/passwd\"");

} // namespace ns3
