// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_BBR3_SENDER_H
#define TCPSWEEP_BBR3_SENDER_H

#include "bbr3-control.h"
#include "bbr3-history.h"
#include "corrections/ack-observer.h"

#include <ns3/tcp-congestion-ops.h>
#include <ns3/traced-value.h>

#include <cstdint>
#include <optional>

namespace tcpsweep::bbr3
{

/// BBR within a socket of ns-3: it takes what the socket knows, and sets its window and rate.
class Sender : public ns3::TcpCongestionOps, public AckObserver, public Control, public Constants
{
  public:
    bool HasCongControl() const override;
    void CongestionStateSet(ns3::Ptr<ns3::TcpSocketState> tcb,
                            const ns3::TcpSocketState::TcpCongState_t state) override;
    void CwndEvent(ns3::Ptr<ns3::TcpSocketState> tcb,
                   const ns3::TcpSocketState::TcpCAEvent_t event) override;
    uint32_t GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> tcb, uint32_t inFlight) override;
    void CongControl(ns3::Ptr<ns3::TcpSocketState> tcb,
                     const ns3::TcpRateOps::TcpRateConnection& connection,
                     const ns3::TcpRateOps::TcpRateSample& sample) override;

    void Observe(ns3::Time rtt, uint32_t lostBytes, uint32_t inFlightBytes) override;
    void UseSampler(ns3::Ptr<ns3::TcpRateOps> sampler) override;
    void
    ObserveLoss(ns3::SequenceNumber32 begin, ns3::SequenceNumber32 end, ns3::Time sent) override;
    bool CanUndo() const override;
    void Undo() override;

    /// @param stream the stream of random numbers
    void SetStream(int64_t stream);

  protected:
    ns3::TracedValue<uint32_t> m_stateTrace{0};                  //!< BBR.state
    ns3::TracedValue<double> m_bandwidthTrace{0};                //!< BBR.max_bw
    ns3::TracedValue<double> m_pacingGainTrace{0};               //!< BBR.pacing_gain
    ns3::TracedValue<double> m_windowGainTrace{0};               //!< BBR.cwnd_gain
    ns3::TracedValue<double> m_longTermTrace{0};                 //!< BBR.inflight_longterm
    ns3::TracedValue<double> m_shortTermTrace{0};                //!< BBR.inflight_shortterm
    ns3::TracedValue<ns3::Time> m_minRttTrace{ns3::Time::Max()}; //!< BBR.min_rtt

  private:
    /// Begin a connection.
    void Begin(ns3::Ptr<ns3::TcpSocketState> tcb);
    /// Note what is in flight now.
    void SeeInFlight(uint32_t before, uint32_t now);
    /// Take the rate sample and the connection's state of an ACK.
    void Receive(const ns3::TcpRateOps::TcpRateConnection& connection,
                 const ns3::TcpRateOps::TcpRateSample& sample);
    /// A packet of some bytes is lost, which was sent at a time.
    void Lose(uint32_t bytes, ns3::Time sent, bool isNewRange);
    /// @return whether the application had nothing to send, if nothing is in flight
    bool IsAppLimited() const;
    /// @return the bytes delivered until now
    uint64_t Delivered() const;
    /// Give the pacing rate to the socket.
    void SetSocketRate();
    /// Update the trace sources.
    void UpdateTraces();

    void SaveWindow() override;
    void RestoreWindow() override;
    void MarkConnectionAppLimited() override;

    ns3::Ptr<ns3::TcpSocketState> m_tcb; //!< the socket's state, null before it begins
    ns3::Ptr<ns3::TcpRateOps> m_sampler; //!< the sampler of the delivery rate, if known
    ns3::Time m_changed;                 //!< when the bytes in flight last changed
    History m_history;                   //!< the states in which packets were sent
    ns3::TcpSocketState::TcpCongState_t m_previous{
        ns3::TcpSocketState::CA_OPEN};      //!< at the last ACK
    double m_priorWindow{0};                //!< BBR.prior_cwnd
    bool m_hasSeenRtt{false};               //!< whether an ACK has given a round-trip time
    uint32_t m_mostInFlight{0};             //!< since the last ACK
    bool m_isLimited{false};                //!< whether the window limits this round
    bool m_wasLimited{false};               //!< whether it limited the last round
    std::optional<ns3::Time> m_observedRtt; //!< the round-trip time of the present ACK
    uint32_t m_observedInFlight{0};         //!< the bytes in flight before it lets any be sent
    std::optional<ns3::SequenceNumber32> m_lostUpTo; //!< the byte after the last lost packet
};

} // namespace tcpsweep::bbr3

#endif // TCPSWEEP_BBR3_SENDER_H
