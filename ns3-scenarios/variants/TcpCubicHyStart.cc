// SPDX-License-Identifier: GPL-2.0-only
#include "with-hystart-plus-plus.h"

#include <ns3/boolean.h>
#include <ns3/tcp-cubic.h>

#include <string>

namespace ns3
{

/// TcpCubic with HyStart++, RFC 9406, in place of its HyStart.
class TcpCubicHyStart : public tcpsweep::WithHyStartPlusPlus<TcpCubic>
{
  public:
    /// @return the type's id
    static TypeId GetTypeId();

    std::string
    GetName() const override
    {
        return "TcpCubicHyStart";
    }

    void
    Init(Ptr<TcpSocketState> tcb) override
    {
        SetAttribute("HyStart", BooleanValue(false));
        TcpCubic::Init(tcb);
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpCubicHyStart>(this);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpCubicHyStart);

TypeId
TcpCubicHyStart::GetTypeId()
{
    static const TypeId tid = TypeId("ns3::TcpCubicHyStart")
                                  .SetParent<TcpCubic>()
                                  .SetGroupName("Internet")
                                  .AddConstructor<TcpCubicHyStart>();
    return tid;
}

} // namespace ns3
