// SPDX-License-Identifier: GPL-2.0-only
// Reads the rate of a link by an attribute of its device.
#include <ns3/data-rate.h>
#include <ns3/net-device.h>
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

class TcpReadsRate : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpReadsRate")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpReadsRate>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpReadsRate";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpReadsRate>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
        DataRateValue rate;
        const auto device = m_device;
        device->GetAttribute("DataRate", rate);
        tcb->m_cWnd = rate.Get().GetBitRate() / 80;
    }

    Ptr<NetDevice> m_device;
};

NS_OBJECT_ENSURE_REGISTERED(TcpReadsRate);

} // namespace ns3
