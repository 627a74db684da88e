// SPDX-License-Identifier: GPL-2.0-only
// Takes the compiler's time: thousands of loops that it has to run.
#include <ns3/tcp-congestion-ops.h>

#include <utility>

namespace ns3
{

template <unsigned N>
constexpr unsigned
Slow()
{
    unsigned value = N;
    for (unsigned i = 0; i < 200000; ++i)
    {
        value = value * 1664525 + 1013904223;
    }
    return value;
}

template <unsigned... N>
constexpr unsigned
Sum(std::integer_sequence<unsigned, N...>)
{
    return (Slow<N>() + ...);
}

constexpr unsigned SUM = Sum(std::make_integer_sequence<unsigned, 100>());
const unsigned g_sum = SUM;

class TcpTimeBomb : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpTimeBomb")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpTimeBomb>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpTimeBomb";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpTimeBomb>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpTimeBomb);

} // namespace ns3
