// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/boolean.h>
#include <ns3/double.h>
#include <ns3/drop-tail-queue.h>
#include <ns3/event-id.h>
#include <ns3/nstime.h>
#include <ns3/object-factory.h>
#include <ns3/queue-disc.h>
#include <ns3/simulator.h>
#include <ns3/traced-value.h>
#include <ns3/uinteger.h>

#include <algorithm>
#include <array>

namespace ns3
{

/**
 * DualPI2: K. De Schepper, B. Briscoe, G. White, "Dual-Queue Coupled Active Queue Management (AQM)
 * for Low Latency, Low Loss, and Scalable Throughput (L4S)", RFC 9332, 2023. Comments name its
 * sections.
 *
 * Packets with ECT(1) or CE wait in a queue L, the others in a queue C. A PI controller over the
 * queueing delay gives a base probability p'. C drops or marks with p_C = p'^2, and L marks with
 * p_CL = k p', or by a ramp over L's own delay if that gives more (section 2.4).
 *
 * The scheduler is weighted round robin. The RFC gives a weight of 1/16 as an example (section
 * 4.2.2); the default is Linux' 1/10, classic_protection in tc-dualpi2(8).
 */
class DualPi2QueueDisc : public QueueDisc
{
  public:
    /// @return the type's id
    static TypeId GetTypeId();

    DualPi2QueueDisc();

  protected:
    void DoDispose() override;

  private:
    /// The two queues.
    enum Lane : std::size_t
    {
        L, //!< low latency
        C, //!< classic
    };

    bool DoEnqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> DoDequeue() override;
    bool CheckConfig() override;
    void InitializeParams() override;

    /// Compute the probabilities anew, and again after Tupdate.
    void Update();
    /// @return the queue that sends next, of which one or both have packets
    Lane Schedule();
    /// @return whether to send a packet of L, which may then be marked
    bool LeaveL(Ptr<QueueDiscItem> item);
    /// @return whether to send a packet of C, which may then be marked
    bool LeaveC(Ptr<QueueDiscItem> item);
    /// @return the probability of L's own AQM for a packet with this delay
    double Ramp(Time delay) const;
    /**
     * @param lane a queue
     * @param likelihood a probability
     * @return true with that probability, at even distances
     */
    bool Recur(Lane lane, double likelihood);
    /// @return the time that the first packet of a queue has waited
    Time Delay(Lane lane) const;

    bool m_useEcn;                    //!< whether the classic queue marks
    bool m_anyEct;                    //!< whether ECT(0) is L4S too
    double m_k;                       //!< coupling factor
    Time m_target;                    //!< target delay of C
    Time m_maxRtt;                    //!< the longest round trip expected
    Time m_interval;                  //!< Tupdate, zero for the RFC's formula
    double m_alpha;                   //!< integral gain in Hz, zero for the RFC's formula
    double m_beta;                    //!< proportional gain in Hz, zero for the RFC's formula
    Time m_minTh;                     //!< delay from which the ramp marks
    Time m_range;                     //!< width of the ramp, zero for a step
    uint32_t m_thLen;                 //!< packets in L up to which the ramp does not mark
    double m_classicShare;            //!< C's share of the link while both queues have packets
    double m_owedToC = 0;             //!< bytes that C is behind its share
    Time m_previous;                  //!< delay at the last update
    EventId m_update;                 //!< the next update
    TracedValue<double> m_base = 0;   //!< p'
    double m_pC = 0;                  //!< p_C
    double m_pCL = 0;                 //!< p_CL
    std::array<double, 2> m_counts{}; //!< sums of probabilities since the last hit
};

NS_OBJECT_ENSURE_REGISTERED(DualPi2QueueDisc);

namespace
{

const char* const FULL = "Both queues together are full";
const char* const SQUARED = "Classic drop or mark";
const char* const LINEAR = "L4S mark";
const char* const OVERLOAD = "Overload drop";

constexpr double MAX_P_L = 1; // p_Lmax, appendix A.1

/// @return the ECN field of a packet, zero if it has none
uint8_t
EcnOf(Ptr<const QueueDiscItem> item)
{
    uint8_t field = 0;
    return item->GetUint8Value(QueueItem::IP_DSFIELD, field) ? field & 3 : 0;
}

} // namespace

TypeId
DualPi2QueueDisc::GetTypeId()
{
    static const TypeId tid =
        TypeId("ns3::DualPi2QueueDisc")
            .SetParent<QueueDisc>()
            .SetGroupName("TrafficControl")
            .AddConstructor<DualPi2QueueDisc>()
            .AddAttribute("MaxSize",
                          "The size of both queues together; limit, appendix A.1",
                          QueueSizeValue(QueueSize("10000p")),
                          MakeQueueSizeAccessor(&QueueDisc::SetMaxSize, &QueueDisc::GetMaxSize),
                          MakeQueueSizeChecker())
            .AddAttribute(
                "UseEcn",
                "Whether the classic queue marks; without it, it drops packets with ECT(0) "
                "too. The L4S queue always marks",
                BooleanValue(true),
                MakeBooleanAccessor(&DualPi2QueueDisc::m_useEcn),
                MakeBooleanChecker())
            .AddAttribute("AnyEct",
                          "Whether ECT(0) is L4S too, any_ect in tc-dualpi2(8); section 2.3 allows "
                          "other identifiers",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DualPi2QueueDisc::m_anyEct),
                          MakeBooleanChecker())
            .AddAttribute("CouplingFactor",
                          "k of p_CL = k p', section 2.1 and appendix C",
                          DoubleValue(2),
                          MakeDoubleAccessor(&DualPi2QueueDisc::m_k),
                          MakeDoubleChecker<double>(0.01))
            .AddAttribute("Target",
                          "Target for the delay in the classic queue, appendix A.1",
                          TimeValue(MilliSeconds(15)),
                          MakeTimeAccessor(&DualPi2QueueDisc::m_target),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("MaxRtt",
                          "RTT_max, the longest round trip expected, appendix A.1",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&DualPi2QueueDisc::m_maxRtt),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute(
                "Tupdate",
                "Time between updates of p'; 0s for min(Target, MaxRtt / 3), appendix A.1",
                TimeValue(Time(0)),
                MakeTimeAccessor(&DualPi2QueueDisc::m_interval),
                MakeTimeChecker(Time(0)))
            .AddAttribute("Alpha",
                          "Integral gain in Hz; 0 for 0.1 Tupdate / MaxRtt^2, appendix A.1",
                          DoubleValue(0),
                          MakeDoubleAccessor(&DualPi2QueueDisc::m_alpha),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Beta",
                          "Proportional gain in Hz; 0 for 0.3 / MaxRtt, appendix A.1",
                          DoubleValue(0),
                          MakeDoubleAccessor(&DualPi2QueueDisc::m_beta),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("MinTh",
                          "Delay in the L4S queue from which it marks, appendix A.1",
                          TimeValue(MicroSeconds(800)),
                          MakeTimeAccessor(&DualPi2QueueDisc::m_minTh),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Range",
                          "Delay above MinTh at which it marks all packets; 0s for a step at MinTh",
                          TimeValue(MicroSeconds(400)),
                          MakeTimeAccessor(&DualPi2QueueDisc::m_range),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ThLen",
                          "Th_len, packets in the L4S queue up to which that delay marks none, "
                          "appendix A.1",
                          UintegerValue(1),
                          MakeUintegerAccessor(&DualPi2QueueDisc::m_thLen),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ClassicShare",
                          "Least share of the link for the classic queue while both have packets, "
                          "section 4.2.2",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&DualPi2QueueDisc::m_classicShare),
                          MakeDoubleChecker<double>(0, 1))
            .AddTraceSource("BaseProbability",
                            "p'",
                            MakeTraceSourceAccessor(&DualPi2QueueDisc::m_base),
                            "ns3::TracedValueCallback::Double");
    return tid;
}

DualPi2QueueDisc::DualPi2QueueDisc()
    : QueueDisc(QueueDiscSizePolicy::MULTIPLE_QUEUES)
{
}

void
DualPi2QueueDisc::DoDispose()
{
    m_update.Cancel();
    QueueDisc::DoDispose();
}

bool
DualPi2QueueDisc::DoEnqueue(Ptr<QueueDiscItem> item)
{
    if (GetCurrentSize() + item > GetMaxSize())
    {
        DropBeforeEnqueue(item, FULL);
        return false;
    }
    item->SetTimeStamp(Simulator::Now());
    // The classifier, section 2.3: ECT(1) is 1, ECT(0) is 2 and CE is 3.
    const uint8_t ecn = EcnOf(item);
    return GetInternalQueue(ecn % 2 == 1 || (m_anyEct && ecn != 0) ? L : C)->Enqueue(item);
}

Ptr<QueueDiscItem>
DualPi2QueueDisc::DoDequeue()
{
    while (GetNPackets() > 0)
    {
        const Lane lane = Schedule();
        const auto item = GetInternalQueue(lane)->Dequeue();
        if (lane == L ? LeaveL(item) : LeaveC(item))
        {
            return item;
        }
    }
    return nullptr;
}

bool
DualPi2QueueDisc::LeaveL(Ptr<QueueDiscItem> item)
{
    if (m_pCL < MAX_P_L)
    {
        // As in the RFC, the packet that leaves no longer counts.
        const bool ramps = GetInternalQueue(L)->GetNPackets() > m_thLen;
        const double own = ramps ? Ramp(Simulator::Now() - item->GetTimeStamp()) : 0;
        if (Recur(L, std::max(own, m_pCL)))
        {
            Mark(item, LINEAR);
        }
        return true;
    }
    // Marks are saturated: L drops as C does, appendix A.2 and section 4.2.3.
    if (Recur(L, m_pC))
    {
        DropAfterDequeue(item, OVERLOAD);
        return false;
    }
    if (Recur(L, m_pCL))
    {
        Mark(item, LINEAR);
    }
    return true;
}

bool
DualPi2QueueDisc::LeaveC(Ptr<QueueDiscItem> item)
{
    if (!Recur(C, m_pC))
    {
        return true;
    }
    // p_Cmax, appendix A.1. From there on, ECN does not save a packet, appendix A.2.
    const bool isOverload = m_pC >= std::min(1 / (m_k * m_k), 1.0);
    if (isOverload || !m_useEcn || EcnOf(item) == 0)
    {
        DropAfterDequeue(item, isOverload ? OVERLOAD : SQUARED);
        return false;
    }
    Mark(item, SQUARED);
    return true;
}

double
DualPi2QueueDisc::Ramp(Time delay) const
{
    if (delay >= m_minTh + m_range)
    {
        return 1;
    }
    return delay > m_minTh ? (delay - m_minTh).GetSeconds() / m_range.GetSeconds() : 0;
}

bool
DualPi2QueueDisc::Recur(Lane lane, double likelihood)
{
    // Without random numbers, as in appendix A.1, which shortens the runs without a mark.
    m_counts[lane] += likelihood;
    const bool hit = m_counts[lane] > 1;
    m_counts[lane] -= hit ? 1 : 0;
    return hit;
}

DualPi2QueueDisc::Lane
DualPi2QueueDisc::Schedule()
{
    const auto nextOfL = GetInternalQueue(L)->Peek();
    const auto nextOfC = GetInternalQueue(C)->Peek();
    if (!nextOfL || !nextOfC)
    {
        m_owedToC = 0;
        return nextOfL ? L : C;
    }
    const Lane lane = m_owedToC > 0 ? C : L;
    const double bytes = lane == L ? nextOfL->GetSize() : nextOfC->GetSize();
    m_owedToC += (m_classicShare - (lane == C ? 1 : 0)) * bytes;
    return lane;
}

Time
DualPi2QueueDisc::Delay(Lane lane) const
{
    const auto first = GetInternalQueue(lane)->Peek();
    return first ? Simulator::Now() - first->GetTimeStamp() : Time(0);
}

void
DualPi2QueueDisc::Update()
{
    // The longer delay of both, so that overload by L4S flows alone is controlled too, appendix
    // A.2.
    const Time delay = std::max(Delay(C), Delay(L));
    const double base = m_base + m_alpha * (delay - m_target).GetSeconds() +
                        m_beta * (delay - m_previous).GetSeconds();
    m_base = std::clamp(base, 0.0, 1.0);
    m_pCL = std::min(m_k * m_base.Get(), MAX_P_L); // equation (1), section 2.1
    m_pC = m_base.Get() * m_base.Get();
    m_previous = delay;
    m_update = Simulator::Schedule(m_interval, &DualPi2QueueDisc::Update, this);
}

bool
DualPi2QueueDisc::CheckConfig()
{
    while (GetNInternalQueues() < 2)
    {
        // The disc itself limits both together.
        AddInternalQueue(
            CreateObjectWithAttributes<DropTailQueue<QueueDiscItem>>("MaxSize",
                                                                     QueueSizeValue(GetMaxSize())));
    }
    return GetNQueueDiscClasses() == 0 && GetNInternalQueues() == 2;
}

void
DualPi2QueueDisc::InitializeParams()
{
    const double maxRtt = m_maxRtt.GetSeconds();
    m_interval = m_interval.IsZero() ? std::min(m_target, m_maxRtt / 3) : m_interval;
    m_alpha = m_alpha > 0 ? m_alpha : 0.1 * m_interval.GetSeconds() / (maxRtt * maxRtt);
    m_beta = m_beta > 0 ? m_beta : 0.3 / maxRtt;
    m_update = Simulator::Schedule(m_interval, &DualPi2QueueDisc::Update, this);
}

} // namespace ns3
