// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/cubic.h"

#include "corrections/window-limit.h"

#include <ns3/boolean.h>
#include <ns3/double.h>
#include <ns3/simulator.h>
#include <ns3/string.h>
#include <ns3/uinteger.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace tcpsweep
{

NS_OBJECT_ENSURE_REGISTERED(Cubic);

namespace
{

constexpr double FASTEST = 1.5;         //!< the target over the window at most (section 4.2)
constexpr uint32_t LEAST_THRESHOLD = 2; //!< segments

/**
 * @tparam Value the type of an attribute's value
 * @param object an object
 * @param name one of its attributes
 * @return its value
 */
template <typename Value>
auto
Read(const ns3::ObjectBase& object, const std::string& name)
{
    Value value;
    object.GetAttribute(name, value);
    return value.Get();
}

/// @return the window in segments
double
Segments(const ns3::TcpSocketState& tcb)
{
    return static_cast<double>(tcb.m_cWnd.Get()) / tcb.m_segmentSize;
}

} // namespace

ns3::TypeId
Cubic::GetTypeId()
{
    static const ns3::TypeId tid =
        ns3::TypeId("tcpsweep::Cubic").SetParent<ns3::TcpCubic>().AddConstructor<Cubic>();
    return tid;
}

void
Cubic::Configure()
{
    if (m_isConfigured)
    {
        return;
    }
    m_isConfigured = true;
    m_decrease = Read<ns3::DoubleValue>(*this, "Beta");
    m_stage.curve = CubicCurve(Read<ns3::DoubleValue>(*this, "C"), m_decrease);
    m_converges = Read<ns3::BooleanValue>(*this, "FastConvergence");
    ns3::BooleanValue isFriendly(true); // older versions do not have it
    GetAttributeFailSafe("TcpFriendliness", isFriendly);
    m_isFriendly = isFriendly.Get();
    m_hasHyStart = Read<ns3::BooleanValue>(*this, "HyStart");
    const auto clamp = Read<ns3::UintegerValue>(*this, "CntClamp");
    m_leastGrowth = clamp > 0 ? 1.0 / static_cast<double>(clamp) : 0;
    m_quiet = Read<ns3::TimeValue>(*this, "CubicDelta");
    const auto detect = Read<ns3::StringValue>(*this, "HyStartDetect"); // a number in 3.37
    m_slowStart = HybridSlowStart(
        {detect != "DELAY" && detect != "2",
         detect != "PACKET_TRAIN" && detect != "1",
         static_cast<uint32_t>(Read<ns3::UintegerValue>(*this, "HyStartLowWindow")),
         static_cast<uint32_t>(Read<ns3::UintegerValue>(*this, "HyStartMinSamples")),
         Read<ns3::TimeValue>(*this, "HyStartAckDelta"),
         Read<ns3::TimeValue>(*this, "HyStartDelayMin"),
         Read<ns3::TimeValue>(*this, "HyStartDelayMax")});
}

void
Cubic::Init(State)
{
    Configure();
}

ns3::Ptr<ns3::TcpCongestionOps>
Cubic::Fork()
{
    Configure();
    return ns3::CopyObject<Cubic>(this);
}

void
Cubic::Observe(ns3::Time rtt, uint32_t, uint32_t)
{
    m_observedRtt = rtt;
}

void
Cubic::PktsAcked(State tcb, uint32_t, const ns3::Time& smoothed)
{
    Configure();
    m_smoothedRtt = smoothed;
    const auto rtt = m_observedRtt.value_or(tcb->m_lastRtt.Get());
    if (!rtt.IsStrictlyPositive() ||
        (m_stage.begin && ns3::Simulator::Now() - *m_stage.begin < m_quiet))
    {
        return;
    }
    m_slowStart.Measure(rtt);
    if (m_hasHyStart && tcb->m_cWnd < tcb->m_ssThresh &&
        m_slowStart.Ends(
            {tcb->m_lastAckedSeq, tcb->m_highTxMark, rtt, Segments(*tcb), tcb->m_pacing}))
    {
        tcb->m_ssThresh = tcb->m_cWnd.Get();
    }
}

void
Cubic::IncreaseWindow(State tcb, uint32_t segments)
{
    Configure();
    const auto now = ns3::Simulator::Now();
    const auto pause = now - m_lastAck;
    m_lastAck = now;
    if (!IsWindowLimited(*tcb, 0))
    {
        if (m_stage.begin)
        {
            *m_stage.begin += pause; // section 5.8
        }
        return;
    }
    if (tcb->m_cWnd < tcb->m_ssThresh)
    {
        segments = GrowInSlowStart(tcb, segments);
    }
    if (segments > 0)
    {
        Avoid(tcb, segments);
    }
}

uint32_t
Cubic::GrowInSlowStart(State tcb, uint32_t segments) const
{
    const uint64_t room = tcb->m_ssThresh.Get() - tcb->m_cWnd.Get();
    const auto most = (room + tcb->m_segmentSize - 1) / tcb->m_segmentSize;
    const auto growth = static_cast<uint32_t>(std::min<uint64_t>(segments, most));
    tcb->m_cWnd += growth * tcb->m_segmentSize;
    return segments - growth;
}

void
Cubic::Avoid(State tcb, uint32_t segments)
{
    const auto now = ns3::Simulator::Now();
    if (!m_stage.begin)
    {
        m_stage.begin = now;
        m_stage.curve.Begin(Segments(*tcb));
        m_stage.rest = 0;
        if (tcb->m_congState < ns3::TcpSocketState::CA_RECOVERY)
        {
            m_undo.reset();
        }
    }
    auto& curve = m_stage.curve;
    const double window = Segments(*tcb) + m_stage.rest;
    curve.GrowReno(segments, window);
    const auto time = now - *m_stage.begin;
    // As in Linux, the target has whole segments, and the window of Reno is a lower bound.
    const auto aim = std::ceil(curve.At((time + m_smoothedRtt).GetSeconds()));
    const auto target = std::min(aim, FASTEST * window);
    double growth = segments * std::max(target - Segments(*tcb), 0.0) / Segments(*tcb);
    if (m_isFriendly)
    {
        growth = std::max(growth, curve.Reno() - window);
    }
    if (!curve.HasLost())
    {
        growth = std::max(growth, segments * m_leastGrowth);
    }
    const auto whole = std::floor(m_stage.rest + growth);
    m_stage.rest += growth - whole;
    tcb->m_cWnd += static_cast<uint32_t>(whole) * tcb->m_segmentSize;
}

uint32_t
Cubic::GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> tcb, uint32_t)
{
    Configure();
    if (!m_undo)
    {
        m_undo = m_stage;
        m_undoWindow = tcb->m_cWnd;
    }
    const auto window = std::floor(Segments(*tcb));
    m_stage.curve.Reduce(window, m_converges);
    m_stage.begin.reset();
    const auto reduced = static_cast<uint32_t>(window * m_decrease);
    return std::max(reduced, LEAST_THRESHOLD) * tcb->m_segmentSize;
}

void
Cubic::CongestionStateSet(State tcb, const ns3::TcpSocketState::TcpCongState_t state)
{
    if (state == ns3::TcpSocketState::CA_LOSS)
    {
        m_stage.curve.Forget();
        m_stage.begin.reset();
        m_slowStart.Forget();
    }
    else if (state == ns3::TcpSocketState::CA_OPEN && m_undo)
    {
        if (tcb->m_cWnd >= m_undoWindow)
        {
            m_stage = *m_undo; // the socket has undone the reduction, section 4.9
        }
        m_undo.reset();
    }
}

void
Cubic::CwndEvent(State, const ns3::TcpSocketState::TcpCAEvent_t event)
{
    if (event == ns3::TcpSocketState::CA_EVENT_TX_START && m_stage.begin)
    {
        const auto now = ns3::Simulator::Now();
        *m_stage.begin += now - m_lastAck;
        m_lastAck = now;
    }
}

} // namespace tcpsweep
