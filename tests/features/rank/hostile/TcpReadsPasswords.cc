// SPDX-License-Identifier: GPL-2.0-only
// Reads a file of the host.
#include <ns3/tcp-congestion-ops.h>

#include <fstream>

namespace ns3
{

class TcpReadsPasswords : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpReadsPasswords")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpReadsPasswords>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpReadsPasswords";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpReadsPasswords>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        std::ifstream file("/etc/passwd");
        std::string line;
        std::getline(file, line);
        tcb->m_cWnd = tcb->m_cWnd + line.size();
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpReadsPasswords);

} // namespace ns3
