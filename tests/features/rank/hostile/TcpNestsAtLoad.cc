// SPDX-License-Identifier: GPL-2.0-only
// Prints more brackets than a parser of JSON nests.
#include <ns3/tcp-congestion-ops.h>

#include <cstdio>

namespace ns3
{

class TcpNestsAtLoad : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpNestsAtLoad")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpNestsAtLoad>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpNestsAtLoad";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpNestsAtLoad>(this);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpNestsAtLoad);

} // namespace ns3

namespace
{

struct Brackets
{
    Brackets()
    {
        for (int i = 0; i < 500'000; ++i)
        {
            putchar('[');
        }
    }
} g_brackets;

} // namespace
