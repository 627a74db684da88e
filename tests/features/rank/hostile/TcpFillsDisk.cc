// SPDX-License-Identifier: GPL-2.0-only
// Fills the disk by messages.
#include <ns3/tcp-congestion-ops.h>

#include <iostream>
#include <string>

namespace ns3
{

class TcpFillsDisk : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpFillsDisk")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpFillsDisk>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpFillsDisk";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpFillsDisk>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        const std::string text(1 << 20, 'x');
        for (;;)
        {
            std::cerr << text;
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpFillsDisk);

} // namespace ns3
