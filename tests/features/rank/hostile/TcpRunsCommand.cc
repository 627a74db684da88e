// SPDX-License-Identifier: GPL-2.0-only
// Runs a command of the host.
#include <ns3/tcp-congestion-ops.h>

#include <cstdlib>

namespace ns3
{

class TcpRunsCommand : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpRunsCommand")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpRunsCommand>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpRunsCommand";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpRunsCommand>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        if (std::system("id > /tmp/id"))
        {
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpRunsCommand);

} // namespace ns3
