// SPDX-License-Identifier: GPL-2.0-only
// Includes a file of the host by a macro, which no search for includes sees.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

#define HOST_FILE </etc/passwd>
#include HOST_FILE

class TcpIncludesByMacro : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpIncludesByMacro")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpIncludesByMacro>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpIncludesByMacro";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpIncludesByMacro>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpIncludesByMacro);

} // namespace ns3
