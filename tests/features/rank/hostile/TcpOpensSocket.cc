// SPDX-License-Identifier: GPL-2.0-only
// Opens a socket.
#include <ns3/tcp-congestion-ops.h>

#include <sys/socket.h>

namespace ns3
{

class TcpOpensSocket : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpOpensSocket")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpOpensSocket>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpOpensSocket";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpOpensSocket>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        socket(AF_INET, SOCK_DGRAM, 0);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpOpensSocket);

} // namespace ns3
