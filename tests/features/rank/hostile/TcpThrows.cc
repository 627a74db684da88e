// SPDX-License-Identifier: GPL-2.0-only
// Throws an exception.
#include <ns3/tcp-congestion-ops.h>

#include <stdexcept>

namespace ns3
{

class TcpThrows : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpThrows")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpThrows>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpThrows";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpThrows>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        throw std::runtime_error("thrown by TcpThrows");
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpThrows);

} // namespace ns3
