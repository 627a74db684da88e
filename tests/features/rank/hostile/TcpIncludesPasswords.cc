// SPDX-License-Identifier: GPL-2.0-only
// Includes a file of the host, so that the compiler's message shows it.
#include "/etc/passwd"

#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

class TcpIncludesPasswords : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpIncludesPasswords")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpIncludesPasswords>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpIncludesPasswords";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpIncludesPasswords>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpIncludesPasswords);

} // namespace ns3
