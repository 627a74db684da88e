// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_BBR3_STATE_MACHINE_H
#define TCPSWEEP_BBR3_STATE_MACHINE_H

#include "bbr3-probe-bandwidth.h"

#include <ns3/nstime.h>

#include <cstdint>

namespace tcpsweep::bbr3
{

/// The states of BBR, and what it does after a loss: draft-ietf-ccwg-bbr-06, sections 5.2 to 5.5.
class StateMachine : public ProbeBandwidth
{
  public:
    /// What the network said of a lost packet when it was sent.
    struct LostPacket
    {
        double size{0};             //!< its bytes
        double inFlightWhenSent{0}; //!< P.tx_in_flight
        uint64_t lostWhenSent{0};   //!< P.lost
        bool isAppLimited{false};   //!< P.is_app_limited
        bool isNewRange{false};     //!< whether the packet before it was not lost
    };

    /// Section 5.5.10.2. @param delivered C.delivered, which a round may begin with
    void HandleLostPacket(const LostPacket& packet, uint64_t delivered);

  protected:
    /// Section 5.2.3. The rate sample and the connection are those of the present ACK.
    void UpdateModelAndState();

    /// The draft leaves the response to ECN open, and asks that marks count as congestion (section
    /// 3.6). Here, a mark is a round with more loss than BBR.LossThresh.
    void HandleMark();

    /// Section 5.5.11.2, without the congestion window.
    void HandleSpuriousLoss();

    /// Section 5.5.11.1, without the congestion window. It saves once an episode: the draft's
    /// pseudo-code would save again after its first response, and could then not undo that.
    void SaveStateUponLoss();
    /// The socket has left the episode of losses or marks, so the next one saves anew.
    void EndLossEpisode();

    // Section 5.3.4.3.
    /// @return the window of ProbeRTT, section 5.6.4.5
    double ProbeRttWindow() const;
    void CheckProbeRttDone();

    // The congestion window and the sampler are not this class' own.
    /// Section 5.6.4.4.
    virtual void SaveWindow() = 0;
    /// Section 5.6.4.4.
    virtual void RestoreWindow() = 0;
    /// Section 5.3.4.3.
    virtual void MarkConnectionAppLimited() = 0;

    bool m_isIdleRestart{false}; //!< BBR.idle_restart

  private:
    void EnterStartup();
    void CheckStartupDone();
    void CheckStartupHighLoss();
    void LeaveStartup();
    void EnterDrain();
    void CheckDrainDone();

    void NoteLoss();

    void CheckProbeRtt(bool isExpired);
    void HandleProbeRtt();
    void ExitProbeRtt();

    uint32_t m_drainStart{0}; //!< BBR.drain_start_round
    uint32_t m_lossRanges{0}; //!< ranges lost in this round of losses

    ns3::Time m_probeRttEnd;           //!< BBR.probe_rtt_done_stamp, zero if not yet known
    bool m_isProbeRttRoundDone{false}; //!< BBR.probe_rtt_round_done

    bool m_isInLossEpisode{false};      //!< whether the state before this episode is saved
    double m_undoShortTermBandwidth{0}; //!< BBR.undo_bw_shortterm
    double m_undoShortTermInflight{0};  //!< BBR.undo_inflight_shortterm
    double m_undoLongTermInflight{0};   //!< BBR.undo_inflight_longterm
};

} // namespace tcpsweep::bbr3

#endif // TCPSWEEP_BBR3_STATE_MACHINE_H
