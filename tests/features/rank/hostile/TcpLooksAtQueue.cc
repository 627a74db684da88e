// SPDX-License-Identifier: GPL-2.0-only
// Looks at the queue of the bottleneck.
#include <ns3/node-list.h>
#include <ns3/node.h>
#include <ns3/point-to-point-net-device.h>
#include <ns3/queue.h>
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

class TcpLooksAtQueue : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpLooksAtQueue")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpLooksAtQueue>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpLooksAtQueue";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpLooksAtQueue>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        const auto device = NodeList::GetNode(0)->GetDevice(0);
        const auto link = DynamicCast<PointToPointNetDevice>(device);
        if (link && link->GetQueue()->GetNPackets() > 10)
        {
            tcb->m_cWnd = tcb->m_segmentSize;
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpLooksAtQueue);

} // namespace ns3
