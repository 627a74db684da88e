// SPDX-License-Identifier: GPL-2.0-only
#include "decision-log.h"

#include "corrections/ack-observer.h"

#include <ns3/abort.h>
#include <ns3/object-factory.h>
#include <ns3/rng-seed-manager.h>
#include <ns3/simulator.h>
#include <ns3/string.h>
#include <ns3/tcp-rx-buffer.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace tcpsweep::rank
{

namespace
{

using Sample = ns3::TcpRateOps::TcpRateSample;
using Connection = ns3::TcpRateOps::TcpRateConnection;
using Tcb = ns3::TcpSocketState;
using Changed = std::function<void(int64_t bits)>;

/// ns-3 numbers streams one after another. Before a control is made, it gets to a multiple of this.
constexpr uint64_t STREAMS_PER_CONTROL = 1000;
constexpr uint32_t STREAM_SEED = 1;             //!< seed and run while a control gets its stream
constexpr std::size_t HAS_CONTROL = FIELDS + 1; //!< in Values
constexpr std::size_t HEAD = 5;                 //!< numbers of a change in a log
constexpr const char* CALLS[] = {"constructor",
                                 "change",
                                 "Init",
                                 "GetSsThresh",
                                 "IncreaseWindow",
                                 "PktsAcked",
                                 "CongestionStateSet",
                                 "CwndEvent",
                                 "CongControl"};

/// @return the bits of a value of ns-3
template <typename T>
int64_t
Bits(const T& value)
{
    if constexpr (requires { value.Get(); }) // a traced value
    {
        return Bits(value.Get());
    }
    else if constexpr (requires { value.GetTimeStep(); })
    {
        return value.GetTimeStep();
    }
    else if constexpr (requires { value.GetBitRate(); })
    {
        return static_cast<int64_t>(value.GetBitRate());
    }
    else if constexpr (requires { value.GetValue(); }) // a sequence number
    {
        return value.GetValue();
    }
    else
    {
        return static_cast<int64_t>(value);
    }
}

/// @param bits the bits that a value gets
template <typename T>
void
Assign(T& value, int64_t bits)
{
    if constexpr (requires { value.Get(); })
    {
        auto plain = value.Get();
        Assign(plain, bits);
        value = plain;
    }
    else if constexpr (requires { value.GetTimeStep(); })
    {
        value = ns3::TimeStep(static_cast<uint64_t>(bits));
    }
    else
    {
        value = T(bits);
    }
}

/// Call a function with a traced value's new bits before each change.
template <typename T>
void
ListenTo(T& value, const Changed& changed)
{
    if constexpr (requires { value.Get(); })
    {
        using V = decltype(value.Get());
        value.ConnectWithoutContext(
            ns3::Callback<void, V, V>([changed](V, V next) { changed(Bits(next)); }));
    }
}

/// A member of ns3::TcpSocketState.
struct Field
{
    const char* name;                                 //!< its name
    bool isDecision;                                  //!< whether a control may change it
    int64_t (*get)(const Tcb& tcb);                   //!< returns its bits
    void (*set)(Tcb& tcb, int64_t bits);              //!< sets its bits
    void (*listen)(Tcb& tcb, const Changed& changed); //!< listens to it if it is traced
};

/// @return a member
template <auto MEMBER>
Field
Of(const char* name, bool isDecision = false)
{
    return {name,
            isDecision,
            [](const Tcb& tcb) { return Bits(tcb.*MEMBER); },
            [](Tcb& tcb, int64_t bits) { Assign(tcb.*MEMBER, bits); },
            [](Tcb& tcb, const Changed& changed) { ListenTo(tcb.*MEMBER, changed); }};
}

const Field STATE[FIELDS] = {
    Of<&Tcb::m_bytesInFlight>("m_bytesInFlight"), // the first, for IsSender()
    Of<&Tcb::m_cWnd>("m_cWnd", true),
    Of<&Tcb::m_cWndInfl>("m_cWndInfl", true),
    Of<&Tcb::m_ssThresh>("m_ssThresh", true),
    Of<&Tcb::m_pacing>("m_pacing", true),
    Of<&Tcb::m_pacingRate>("m_pacingRate", true),
    Of<&Tcb::m_useEcn>("m_useEcn", true), // TcpDctcp in Init(), as the next two
    Of<&Tcb::m_ecnMode>("m_ecnMode", true),
    Of<&Tcb::m_ectCodePoint>("m_ectCodePoint", true),
    Of<&Tcb::m_ecnState>("m_ecnState", true), // TcpPrague, for marks that it has used
    Of<&Tcb::m_initialCWnd>("m_initialCWnd"),
    Of<&Tcb::m_initialSsThresh>("m_initialSsThresh"),
    Of<&Tcb::m_isRetransDataAcked>("m_isRetransDataAcked"),
    Of<&Tcb::m_segmentSize>("m_segmentSize"),
    Of<&Tcb::m_lastAckedSeq>("m_lastAckedSeq"),
    Of<&Tcb::m_congState>("m_congState"),
    Of<&Tcb::m_highTxMark>("m_highTxMark"),
    Of<&Tcb::m_nextTxSequence>("m_nextTxSequence"),
    Of<&Tcb::m_rcvTimestampValue>("m_rcvTimestampValue"),
    Of<&Tcb::m_rcvTimestampEchoReply>("m_rcvTimestampEchoReply"),
    Of<&Tcb::m_maxPacingRate>("m_maxPacingRate"),
    Of<&Tcb::m_pacingSsRatio>("m_pacingSsRatio"),
    Of<&Tcb::m_pacingCaRatio>("m_pacingCaRatio"),
    Of<&Tcb::m_paceInitialWindow>("m_paceInitialWindow"),
    Of<&Tcb::m_minRtt>("m_minRtt"),
    Of<&Tcb::m_isCwndLimited>("m_isCwndLimited"),
    Of<&Tcb::m_srtt>("m_srtt"),
    Of<&Tcb::m_lastRtt>("m_lastRtt"),
    Of<&Tcb::m_lastAckedSackedBytes>("m_lastAckedSackedBytes"),
};

/// @return a socket's state as numbers
Values
ValuesOf(const Tcb& tcb)
{
    Values values{};
    std::transform(STATE,
                   STATE + FIELDS,
                   values.begin(),
                   [&tcb](const auto& field) { return field.get(tcb); });
    return values;
}

/// @param visit takes each member, in the order of Arguments
template <typename C, typename S, typename Visit>
void
VisitRates(C& connection, S& sample, Visit visit)
{
    visit(connection.m_delivered);
    visit(connection.m_deliveredTime);
    visit(connection.m_firstSentTime);
    visit(connection.m_appLimited);
    visit(connection.m_txItemDelivered);
    visit(connection.m_rateDelivered);
    visit(connection.m_rateInterval);
    visit(connection.m_rateAppLimited);
    visit(sample.m_deliveryRate);
    visit(sample.m_isAppLimited);
    visit(sample.m_interval);
    visit(sample.m_delivered);
    visit(sample.m_priorDelivered);
    visit(sample.m_priorTime);
    visit(sample.m_sendElapsed);
    visit(sample.m_ackElapsed);
    visit(sample.m_bytesLoss);
    visit(sample.m_priorInFlight);
    visit(sample.m_ackedSacked);
}

/// Call CongControl().
void
ControlBy(ns3::TcpCongestionOps& control, ns3::Ptr<Tcb> tcb, const Arguments& arguments)
{
    Connection connection;
    Sample sample;
    VisitRates(connection,
               sample,
               [next = arguments.begin()](auto& member) mutable { Assign(member, *next++); });
    control.CongControl(tcb, connection, sample);
}

/// @return what the call returns; 0 if that is nothing
uint32_t
Forward(ns3::TcpCongestionOps& control, ns3::Ptr<Tcb> tcb, Call call, const Arguments& arguments)
{
    const auto first = static_cast<uint32_t>(arguments[0]);
    switch (call)
    {
    case Call::CONSTRUCT:
    case Call::CHANGE:
        break;
    case Call::INIT:
        control.Init(tcb);
        break;
    case Call::GET_SS_THRESH:
        return control.GetSsThresh(tcb, first);
    case Call::INCREASE_WINDOW:
        control.IncreaseWindow(tcb, first);
        break;
    case Call::PKTS_ACKED:
        control.PktsAcked(tcb, first, ns3::TimeStep(static_cast<uint64_t>(arguments[1])));
        break;
    case Call::CONGESTION_STATE_SET:
        control.CongestionStateSet(tcb, static_cast<Tcb::TcpCongState_t>(first));
        break;
    case Call::CWND_EVENT:
        control.CwndEvent(tcb, static_cast<Tcb::TcpCAEvent_t>(first));
        break;
    case Call::CONG_CONTROL:
        ControlBy(control, tcb, arguments);
        break;
    }
    return 0;
}

using Log = std::vector<Decision>;

/// @return whether data were in flight before one of a control's calls
bool
IsSender(const Log& calls)
{
    return std::any_of(calls.begin(),
                       calls.end(),
                       [](const auto& decision) { return decision.before[0] > 0; });
}

/// @return the senders' logs in a file
std::vector<Log>
ReadSenders(const std::string& path)
{
    std::map<int64_t, Log> logs;
    std::ifstream file(path, std::ios::binary);
    int64_t head[HEAD];
    while (file.read(reinterpret_cast<char*>(head), sizeof(head)))
    {
        Decision decision{head[0], Call{head[1]}, head[2], {head[3], head[4]}};
        if (decision.call != Call::CHANGE)
        {
            file.read(reinterpret_cast<char*>(&decision) + sizeof(head),
                      sizeof(decision) - sizeof(head));
        }
        logs[decision.instance].push_back(decision);
    }
    std::vector<Log> senders;
    for (auto& [instance, log] : logs)
    {
        if (IsSender(log))
        {
            senders.push_back(std::move(log));
        }
    }
    return senders;
}

/// Repeats a sender's calls; see BeginReplay().
class Replay : public std::enable_shared_from_this<Replay>
{
  public:
    /// See BeginReplay().
    Replay(std::vector<Log> senders, uint32_t sender, ns3::TypeId type, std::string report)
        : m_senders(std::move(senders)),
          m_calls(m_senders.at(sender)),
          m_type(type),
          m_report(std::move(report))
    {
        // For TcpDctcp, which sends ACKs when marks begin and end.
        m_tcb->m_rxBuffer = ns3::CreateObject<ns3::TcpRxBuffer>();
        m_tcb->m_sendEmptyPacketCallback = ns3::Callback<void, uint8_t>([](uint8_t) {});
    }

    /// Repeat the calls of this time, which stay in one event of ns-3, and go on at the next time.
    void
    GoOn()
    {
        const auto now = ns3::Simulator::Now().GetTimeStep();
        for (; m_next < m_calls.size() && m_calls[m_next].time == now; ++m_next)
        {
            if (!IsRepeated(m_calls[m_next]))
            {
                return;
            }
        }
        if (m_next == m_calls.size())
        {
            const bool observes = dynamic_cast<AckObserver*>(ns3::PeekPointer(m_control));
            std::ofstream(m_report)
                << (observes ? "observes " : "equal ") << m_senders.size() << "\n";
            return;
        }
        NS_ABORT_MSG_IF(m_calls[m_next].time < now, "The log begins before the first socket.");
        ns3::Simulator::Schedule(ns3::TimeStep(m_calls[m_next].time - now),
                                 [self = shared_from_this()] { self->GoOn(); });
    }

  private:
    /// @return whether a call's repetition has the same results, else there is a report
    bool
    IsRepeated(const Decision& recorded)
    {
        if (recorded.call == Call::CONSTRUCT)
        {
            m_control = MakeControl(m_type, recorded.instance);
            m_last = ValuesOf(*m_tcb);
            return true;
        }
        auto now = ValuesOf(*m_tcb);
        std::copy(m_last.begin() + FIELDS, m_last.end(), now.begin() + FIELDS);
        if (!AreSame("between", recorded, m_last, now))
        {
            return false;
        }
        if (recorded.call == Call::CHANGE)
        {
            m_last[recorded.arguments[0]] = recorded.arguments[1];
            STATE[recorded.arguments[0]].set(*m_tcb, recorded.arguments[1]);
            return true;
        }
        auto allowed = recorded.after;
        for (std::size_t i = 0; i < FIELDS; ++i)
        {
            STATE[i].set(*m_tcb, recorded.before[i]);
            allowed[i] = STATE[i].isDecision ? recorded.after[i] : recorded.before[i];
        }
        m_last =
            Decide(*m_control, m_tcb, recorded.instance, recorded.call, recorded.arguments).after;
        return AreSame("changed", recorded, allowed, recorded.after) &&
               AreSame("differs", recorded, recorded.after, m_last);
    }

    /// @param kind the report's first word @return whether values are equal, else there is a report
    bool
    AreSame(const char* kind, const Decision& call, const Values& one, const Values& other) const
    {
        for (std::size_t i = 0; i < one.size(); ++i)
        {
            if (one[i] != other[i])
            {
                const char* name = i < FIELDS      ? STATE[i].name
                                   : i == RETURNED ? "returned"
                                                   : "HasCongControl";
                std::ofstream(m_report) << kind << " " << ns3::TimeStep(call.time).GetNanoSeconds()
                                        << " " << CALLS[static_cast<int64_t>(call.call)] << " "
                                        << name << " " << one[i] << " " << other[i] << "\n";
                return false;
            }
        }
        return true;
    }

    std::vector<Log> m_senders;                    //!< the log
    const Log& m_calls;                            //!< the sender's calls
    ns3::TypeId m_type;                            //!< the control's type
    std::string m_report;                          //!< the file of the report
    std::size_t m_next{0};                         //!< the number of the next call
    ns3::Ptr<ns3::TcpCongestionOps> m_control;     //!< the control
    ns3::Ptr<Tcb> m_tcb{ns3::CreateObject<Tcb>()}; //!< the state that it gets
    Values m_last{};                               //!< the values after the last call
};

} // namespace

ns3::Ptr<ns3::TcpCongestionOps>
MakeControl(ns3::TypeId type, int64_t instance)
{
    const auto number = static_cast<uint64_t>(instance) + 1;
    while (ns3::RngSeedManager::GetNextStreamIndex() < number * STREAMS_PER_CONTROL)
    {
    }
    ns3::ObjectFactory factory;
    factory.SetTypeId(type);
    const auto control = factory.Create<ns3::TcpCongestionOps>();
    ns3::TypeId::AttributeInformation stream;
    if (type.LookupAttributeByName("Stream", &stream))
    {
        const auto seed = ns3::RngSeedManager::GetSeed();
        const auto run = ns3::RngSeedManager::GetRun();
        ns3::RngSeedManager::SetSeed(STREAM_SEED);
        ns3::RngSeedManager::SetRun(STREAM_SEED);
        control->SetAttribute("Stream", ns3::StringValue(std::to_string(number)));
        ns3::RngSeedManager::SetSeed(seed);
        ns3::RngSeedManager::SetRun(run);
    }
    return control;
}

Decision
Decide(ns3::TcpCongestionOps& control,
       ns3::Ptr<Tcb> tcb,
       int64_t instance,
       Call call,
       const Arguments& arguments)
{
    Decision decision{instance,
                      call,
                      ns3::Simulator::Now().GetTimeStep(),
                      arguments,
                      ValuesOf(*tcb)};
    const auto returned = Forward(control, tcb, call, arguments);
    decision.after = ValuesOf(*tcb);
    decision.after[RETURNED] = returned;
    decision.after[HAS_CONTROL] = control.HasCongControl();
    return decision;
}

Arguments
ArgumentsOf(const Connection& connection, const Sample& sample)
{
    Arguments arguments{};
    VisitRates(connection,
               sample,
               [next = arguments.begin()](const auto& member) mutable { *next++ = Bits(member); });
    return arguments;
}

void
Listen(Tcb& tcb, const std::function<void(int64_t, int64_t)>& changed)
{
    for (std::size_t i = 0; i < FIELDS; ++i)
    {
        STATE[i].listen(tcb, [i, changed](int64_t bits) { changed(i, bits); });
    }
}

void
Write(std::ofstream& log, const Decision& decision)
{
    log.write(reinterpret_cast<const char*>(&decision),
              decision.call == Call::CHANGE ? HEAD * sizeof(int64_t) : sizeof(decision));
}

void
BeginReplay(const std::string& log, uint32_t sender, ns3::TypeId type, const std::string& report)
{
    auto senders = ReadSenders(log);
    if (sender >= senders.size())
    {
        std::ofstream(report) << "missing " << senders.size() << "\n";
        return;
    }
    std::make_shared<Replay>(std::move(senders), sender, type, report)->GoOn();
}

} // namespace tcpsweep::rank
