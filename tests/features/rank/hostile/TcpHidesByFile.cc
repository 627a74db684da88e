// SPDX-License-Identifier: GPL-2.0-only
// Calls what is forbidden only if its file has another name than the one that is looked at.
#include <ns3/tcp-congestion-ops.h>

extern "C" int system(const char*);
#undef __FILE__

namespace ns3
{

class TcpHidesByFile : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpHidesByFile")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpHidesByFile>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpHidesByFile";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpHidesByFile>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        if constexpr (sizeof(__FILE__) != sizeof("all.cc"))
        {
            system("id");
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpHidesByFile);

} // namespace ns3
