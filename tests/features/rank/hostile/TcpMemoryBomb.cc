// SPDX-License-Identifier: GPL-2.0-only
// Takes the compiler's memory: a constant whose size doubles with each of 24 levels.
#include <ns3/tcp-congestion-ops.h>

namespace ns3
{

template <unsigned N>
struct Grown : Grown<N - 1>
{
    Grown<N - 1> left[2];
};

template <>
struct Grown<0>
{
    long value = 1;
};

constexpr Grown<24> GROWN{};
const void* const g_grown = &GROWN;

class TcpMemoryBomb : public TcpNewReno
{
  public:
    static TypeId
    GetTypeId()
    {
        static const TypeId tid = TypeId("ns3::TcpMemoryBomb")
                                      .SetParent<TcpNewReno>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpMemoryBomb>();
        return tid;
    }

    std::string
    GetName() const override
    {
        return "TcpMemoryBomb";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpMemoryBomb>(this);
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override
    {
        TcpNewReno::PktsAcked(tcb, segmentsAcked, rtt);
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpMemoryBomb);

} // namespace ns3
