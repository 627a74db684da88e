// SPDX-License-Identifier: GPL-2.0-only
#include "with-hystart-plus-plus.h"

#include <ns3/tcp-linux-reno.h>

#include <string>

namespace ns3
{

/// TcpLinuxReno with HyStart++, RFC 9406.
class TcpRenoHyStart : public tcpsweep::WithHyStartPlusPlus<TcpLinuxReno>
{
  public:
    /// @return the type's id
    static TypeId GetTypeId();

    std::string
    GetName() const override
    {
        return "TcpRenoHyStart";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpRenoHyStart>(this);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpRenoHyStart);

TypeId
TcpRenoHyStart::GetTypeId()
{
    static const TypeId tid = TypeId("ns3::TcpRenoHyStart")
                                  .SetParent<TcpLinuxReno>()
                                  .SetGroupName("Internet")
                                  .AddConstructor<TcpRenoHyStart>();
    return tid;
}

} // namespace ns3
