// SPDX-License-Identifier: GPL-2.0-only
// A second preprocessing would obey a directive that a macro makes.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

class TcpMakesDirective : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpMakesDirective")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpMakesDirective>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpMakesDirective";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpMakesDirective>(this);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpMakesDirective);

} // namespace ns3

// clang-format off
#define HASH #
HASH if 1
int g_more;
HASH endif
