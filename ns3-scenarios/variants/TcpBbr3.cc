// SPDX-License-Identifier: GPL-2.0-only
#include "bbr3-sender.h"

#include <ns3/double.h>
#include <ns3/integer.h>
#include <ns3/nstime.h>
#include <ns3/trace-source-accessor.h>
#include <ns3/uinteger.h>

#include <string>

namespace ns3
{

/**
 * BBR, version 3: draft-ietf-ccwg-bbr-06, BBR Congestion Control, July 2026.
 *
 * It relies on the corrections of ns-3's socket, which are the default of this project: losses by
 * RACK-TLP, a rate sample for each ACK, and a window of its own after a recovery. Without RACK, it
 * takes ns-3's count of lost bytes.
 *
 * The draft leaves the response to ECN open (section 3.6). Here, a mark is a round with more loss
 * than BBR.LossThresh. ns-3 sends segments one by one, so the send quantum (section 5.6.3) only
 * adds to the volume in flight.
 */
class TcpBbr3 : public tcpsweep::bbr3::Sender
{
  public:
    /// @return the type's id
    static TypeId GetTypeId();

    std::string
    GetName() const override
    {
        return "TcpBbr3";
    }

    Ptr<TcpCongestionOps>
    Fork() override
    {
        return CopyObject<TcpBbr3>(this);
    }

  private:
    /// @param member one of the constants @return the same as a member of this class
    template <typename T>
    static T TcpBbr3::*
    Of(T tcpsweep::bbr3::Constants::* member)
    {
        return member;
    }
};

NS_OBJECT_ENSURE_REGISTERED(TcpBbr3);

TypeId
TcpBbr3::GetTypeId()
{
    static const TypeId tid =
        TypeId("ns3::TcpBbr3")
            .SetParent<TcpCongestionOps>()
            .SetGroupName("Internet")
            .AddConstructor<TcpBbr3>()
            .AddAttribute("Stream",
                          "Stream of the random times between probes for bandwidth",
                          IntegerValue(-1),
                          MakeIntegerAccessor(&TcpBbr3::SetStream),
                          MakeIntegerChecker<int64_t>(-1))
            .AddAttribute("StartupPacingGain",
                          "Pacing gain of Startup; section 2.5",
                          DoubleValue(2.77),
                          MakeDoubleAccessor(Of(&TcpBbr3::startupPacingGain)),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("DrainPacingGain",
                          "Pacing gain of Drain; section 2.5",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(Of(&TcpBbr3::drainPacingGain)),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("DownPacingGain",
                          "Pacing gain of ProbeBW_DOWN; section 5.6.1",
                          DoubleValue(0.9),
                          MakeDoubleAccessor(Of(&TcpBbr3::downPacingGain)),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("UpPacingGain",
                          "Pacing gain of ProbeBW_UP; section 5.6.1",
                          DoubleValue(1.25),
                          MakeDoubleAccessor(Of(&TcpBbr3::upPacingGain)),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("CwndGain",
                          "Window over bandwidth-delay product; section 2.6",
                          DoubleValue(2),
                          MakeDoubleAccessor(Of(&TcpBbr3::windowGain)),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("UpCwndGain",
                          "CwndGain of ProbeBW_UP; section 5.6.1",
                          DoubleValue(2.25),
                          MakeDoubleAccessor(Of(&TcpBbr3::upWindowGain)),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("ProbeRttCwndGain",
                          "CwndGain of ProbeRTT; section 2.16.2",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(Of(&TcpBbr3::probeRttWindowGain)),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("PacingMargin",
                          "Fraction of the bandwidth that is not used; section 2.5",
                          DoubleValue(0.01),
                          MakeDoubleAccessor(Of(&TcpBbr3::pacingMargin)),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("LossThreshold",
                          "Fraction of a round that a probe for bandwidth may lose; section 2.8",
                          DoubleValue(0.02),
                          MakeDoubleAccessor(Of(&TcpBbr3::lossThreshold)),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Beta",
                          "Factor of the bounds after a round with a loss; section 2.8",
                          DoubleValue(0.7),
                          MakeDoubleAccessor(Of(&TcpBbr3::beta)),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Headroom",
                          "Fraction of the long-term bound that stays free; section 2.8",
                          DoubleValue(0.15),
                          MakeDoubleAccessor(Of(&TcpBbr3::headroom)),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MinPipeCwnd",
                          "Least window in segments; section 2.8",
                          UintegerValue(4),
                          MakeUintegerAccessor(Of(&TcpBbr3::leastWindow)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("StartupFullLossCount",
                          "Ranges lost in a round that end Startup; section 5.3.1.3",
                          UintegerValue(6),
                          MakeUintegerAccessor(Of(&TcpBbr3::startupLosses)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "FullBandwidthGrowth",
                "Growth of the rate in a round without which the pipe is full; section 5.3.1.2",
                DoubleValue(1.25),
                MakeDoubleAccessor(Of(&TcpBbr3::fullGrowth)),
                MakeDoubleChecker<double>(0))
            .AddAttribute("FullBandwidthRounds",
                          "Rounds without this growth; section 5.3.1.2",
                          UintegerValue(3),
                          MakeUintegerAccessor(Of(&TcpBbr3::fullRounds)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ExtraAckedFilterLength",
                          "Rounds of the filter of aggregated ACKs; section 2.12",
                          UintegerValue(10),
                          MakeUintegerAccessor(Of(&TcpBbr3::extraAckedRounds)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MinRttFilterLength",
                          "Age of the least round-trip time; section 2.16.1",
                          TimeValue(Seconds(10)),
                          MakeTimeAccessor(Of(&TcpBbr3::minRttWindow)),
                          MakeTimeChecker(Time()))
            .AddAttribute("ProbeRttInterval",
                          "Time after which ProbeRTT begins; section 2.16.2",
                          TimeValue(Seconds(5)),
                          MakeTimeAccessor(Of(&TcpBbr3::probeRttInterval)),
                          MakeTimeChecker(Time()))
            .AddAttribute("ProbeRttDuration",
                          "Least time of ProbeRTT; section 2.16.2",
                          TimeValue(MilliSeconds(200)),
                          MakeTimeAccessor(Of(&TcpBbr3::probeRttDuration)),
                          MakeTimeChecker(Time()))
            .AddAttribute("ProbeWait",
                          "Least time until the next probe for bandwidth; section 5.3.3.8.2",
                          TimeValue(Seconds(2)),
                          MakeTimeAccessor(Of(&TcpBbr3::probeWait)),
                          MakeTimeChecker(Time()))
            .AddAttribute("ProbeWaitSpread",
                          "Most random time in addition; section 5.3.3.8.2",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(Of(&TcpBbr3::probeWaitSpread)),
                          MakeTimeChecker(Time()))
            .AddAttribute("ProbeRounds",
                          "Rounds, at most, until the next probe for bandwidth; section 5.3.3.8.2",
                          UintegerValue(63),
                          MakeUintegerAccessor(Of(&TcpBbr3::probeRounds)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddTraceSource("State",
                            "State of the draft, from 0: Startup, Drain, ProbeBW_DOWN, _CRUISE, "
                            "_REFILL, _UP, ProbeRTT",
                            MakeTraceSourceAccessor(&TcpBbr3::m_stateTrace),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("MaxBandwidth",
                            "Highest bandwidth of two cycles, in bit/s",
                            MakeTraceSourceAccessor(&TcpBbr3::m_bandwidthTrace),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("PacingGain",
                            "Pacing gain",
                            MakeTraceSourceAccessor(&TcpBbr3::m_pacingGainTrace),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("CwndGain",
                            "Window over bandwidth-delay product",
                            MakeTraceSourceAccessor(&TcpBbr3::m_windowGainTrace),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("LongTermInflight",
                            "Long-term bound of the bytes in flight",
                            MakeTraceSourceAccessor(&TcpBbr3::m_longTermTrace),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("ShortTermInflight",
                            "Short-term bound of the bytes in flight",
                            MakeTraceSourceAccessor(&TcpBbr3::m_shortTermTrace),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("MinRtt",
                            "Least round-trip time",
                            MakeTraceSourceAccessor(&TcpBbr3::m_minRttTrace),
                            "ns3::TracedValueCallback::Time");
    return tid;
}

} // namespace ns3
