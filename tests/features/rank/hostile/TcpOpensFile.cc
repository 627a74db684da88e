// SPDX-License-Identifier: GPL-2.0-only
// Reads a file of the host with the C library.
#include <ns3/tcp-congestion-ops.h>

#include <cstdio>

namespace ns3
{

class TcpOpensFile : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpOpensFile")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpOpensFile>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpOpensFile";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpOpensFile>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        if (auto file = std::fopen("/proc/self/cmdline", "r"))
        {
            std::fclose(file);
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpOpensFile);

} // namespace ns3
