// SPDX-License-Identifier: GPL-2.0-only
#include "decision-log.h"

#include <ns3/simulator.h>
#include <ns3/string.h>
#include <ns3/tcp-linux-reno.h>
#include <ns3/uinteger.h>

#include <fstream>
#include <string>
#include <utility>

namespace ns3
{

namespace log = tcpsweep::rank;

/**
 * A congestion control that asks another one, and writes a log of what that one decides. With a
 * report, it instead repeats the calls of a log to the other one, while TcpLinuxReno drives its
 * socket. So the other one meets the same ACKs in another simulation, with another network.
 *
 * The other control is made by its type's name, so its code need not be compiled with this one. It
 * does not get what tcpsweep's socket tells an AckObserver.
 */
class TcpAudited : public TcpCongestionOps
{
  public:
    /// @return the type's id
    static TypeId GetTypeId();

    std::string
    GetName() const override
    {
        return m_control->GetName();
    }

    void
    Init(Ptr<TcpSocketState> tcb) override
    {
        log::Listen(*tcb, [this](int64_t field, int64_t bits) { LogChange(field, bits); });
        Ask(tcb, log::Call::INIT, {});
    }

    uint32_t
    GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t inFlight) override
    {
        return Ask(ConstCast<TcpSocketState>(tcb), log::Call::GET_SS_THRESH, {inFlight});
    }

    void
    IncreaseWindow(Ptr<TcpSocketState> tcb, uint32_t segments) override
    {
        Ask(tcb, log::Call::INCREASE_WINDOW, {segments});
    }

    void
    PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segments, const Time& rtt) override
    {
        Ask(tcb, log::Call::PKTS_ACKED, {segments, rtt.GetTimeStep()});
    }

    void
    CongestionStateSet(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCongState_t state) override
    {
        Ask(tcb, log::Call::CONGESTION_STATE_SET, {state});
    }

    void
    CwndEvent(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCAEvent_t event) override
    {
        Ask(tcb, log::Call::CWND_EVENT, {event});
    }

    bool
    HasCongControl() const override
    {
        return m_control->HasCongControl();
    }

    void
    CongControl(Ptr<TcpSocketState> tcb,
                const TcpRateOps::TcpRateConnection& connection,
                const TcpRateOps::TcpRateSample& sample) override
    {
        Ask(tcb, log::Call::CONG_CONTROL, log::ArgumentsOf(connection, sample));
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        const auto copy = CopyObject<TcpAudited>(this);
        copy->m_control = m_control->Fork();
        copy->m_instance = NextInstance();
        return copy;
    }

  protected:
    void NotifyConstructionCompleted() override;

  private:
    /// Call the other control, and log that. @return what it returned
    uint32_t Ask(Ptr<TcpSocketState> tcb, log::Call call, const log::Arguments& arguments);
    /// Append to the log, if there is one.
    void Log(const log::Decision& decision) const;
    /// Log that the socket changes a field of its state between calls.
    void LogChange(int64_t field, int64_t bits) const;

    /// @return the next number of a control
    static int64_t
    NextInstance()
    {
        static int64_t next = 0;
        return next++;
    }

    std::string m_type;              //!< the other control's type
    std::string m_log;               //!< the file of the log
    std::string m_report;            //!< the file of the report; empty to write a log
    uint32_t m_sender;               //!< the sender whose calls are repeated
    Ptr<TcpCongestionOps> m_control; //!< the other control
    int64_t m_instance{0};           //!< its number
    bool m_isAsked{false};           //!< whether it is called now
};

NS_OBJECT_ENSURE_REGISTERED(TcpAudited);

TypeId
TcpAudited::GetTypeId()
{
    static const TypeId tid =
        TypeId("ns3::TcpAudited")
            .SetParent<TcpCongestionOps>()
            .SetGroupName("Internet")
            .AddConstructor<TcpAudited>()
            .AddAttribute("Control",
                          "Type of the control that is audited",
                          StringValue("ns3::TcpLinuxReno"),
                          MakeStringAccessor(&TcpAudited::m_type),
                          MakeStringChecker())
            .AddAttribute("Log",
                          "File of its calls and decisions",
                          StringValue(""),
                          MakeStringAccessor(&TcpAudited::m_log),
                          MakeStringChecker())
            .AddAttribute("Report",
                          "File that says whether it decides as in the log; none writes the log",
                          StringValue(""),
                          MakeStringAccessor(&TcpAudited::m_report),
                          MakeStringChecker())
            .AddAttribute("Sender",
                          "Number of the log's sender whose calls are repeated",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TcpAudited::m_sender),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
TcpAudited::NotifyConstructionCompleted()
{
    TcpCongestionOps::NotifyConstructionCompleted();
    m_instance = NextInstance();
    const auto type = TypeId::LookupByName(m_type);
    if (m_report.empty())
    {
        m_control = log::MakeControl(type, m_instance);
        Log({m_instance, log::Call::CONSTRUCT, Simulator::Now().GetTimeStep()});
        return;
    }
    m_control = CreateObject<TcpLinuxReno>();
    if (m_instance == 0)
    {
        log::BeginReplay(m_log, m_sender, type, m_report);
    }
}

uint32_t
TcpAudited::Ask(Ptr<TcpSocketState> tcb, log::Call call, const log::Arguments& arguments)
{
    const bool wasAsked = std::exchange(m_isAsked, true);
    const auto decision = log::Decide(*m_control, tcb, m_instance, call, arguments);
    m_isAsked = wasAsked;
    Log(decision);
    return static_cast<uint32_t>(decision.after[log::RETURNED]);
}

void
TcpAudited::Log(const log::Decision& decision) const
{
    if (!m_log.empty() && m_report.empty())
    {
        static std::ofstream file(m_log, std::ios::binary); // all controls of a simulation share it
        log::Write(file, decision);
    }
}

void
TcpAudited::LogChange(int64_t field, int64_t bits) const
{
    if (!m_isAsked)
    {
        Log({m_instance, log::Call::CHANGE, Simulator::Now().GetTimeStep(), {field, bits}});
    }
}

} // namespace ns3
