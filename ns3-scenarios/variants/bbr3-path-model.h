// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_BBR3_PATH_MODEL_H
#define TCPSWEEP_BBR3_PATH_MODEL_H

#include "bbr3-types.h"

#include <ns3/nstime.h>
#include <ns3/windowed-filter.h>

#include <array>
#include <cstdint>

namespace tcpsweep::bbr3
{

/// What BBR knows of the network, and its bounds: draft-ietf-ccwg-bbr-06, section 5.5.
class PathModel
{
  public:
    /// @return BBR.max_bw
    double MaxBandwidth() const;
    /// @return BBR.bw
    double Bandwidth() const;
    /// @return BBR.min_rtt
    ns3::Time MinRtt() const;
    /// @return BBR.inflight_longterm
    double LongTermInflight() const;
    /// @return BBR.inflight_shortterm
    double ShortTermInflight() const;

  protected:
    /// Section 5.2.1.
    void BeginModel(const Constants& constants, const Connection& connection, ns3::Time rtt);

    /// @param bytes BBR.inflight_longterm, which is in whole segments here: the window is, and
    /// would not reach it otherwise
    void SetLongTermInflight(double bytes);

    /// Section 5.5.1.
    void StartRound();
    /// Sections 5.5.1 and 5.5.5.
    void UpdateMaxBandwidth();
    /// Section 5.5.6.
    void AdvanceMaxBandwidthFilter();
    /// Section 5.5.9.
    void UpdateAckAggregation();
    /// Section 5.3.4.3. @return BBR.probe_rtt_expired
    bool UpdateMinRtt();

    /// Section 5.3.1.2.
    void ResetFullBandwidth(double baseline = 0);
    /// Section 5.3.1.2.
    void CheckFullBandwidth();

    // Section 5.5.10.2.
    /// @return whether more was lost than BBR.LossThresh allows
    bool IsInflightTooHigh() const;
    /// @param size bytes of the lost packet @return the volume in flight at which it was too much
    double InflightAtLoss(double size) const;

    // Section 5.5.10.3.
    void UpdateLatestSignals();
    void AdvanceLatestSignals();
    void ResetCongestionSignals();
    /// @param isProbing whether the state is one that probes for bandwidth
    void UpdateCongestionSignals(bool isProbing);
    void ResetShortTerm();
    void BoundBandwidth();

    // Section 5.6.4.2.
    /// @return gain times BBR.bdp
    double BdpMultiple(double bandwidth, double gain) const;
    /// @return BBR.min(bdp, C.cwnd), section 5.3.3.8
    double TargetInflight() const;
    /// @return the bound that leaves free headroom, section 5.3.3.9
    double InflightWithHeadroom() const;
    /// @return BBR.MinPipeCwnd in bytes
    double LeastWindow() const;

    Constants m_constants;   //!< the constants
    Connection m_connection; //!< C
    RateSample m_sample;     //!< RS

    uint64_t m_nextRound{0};     //!< BBR.next_round_delivered
    uint32_t m_rounds{0};        //!< BBR.round_count
    uint32_t m_roundsSinceUp{0}; //!< BBR.rounds_since_probe_up
    bool m_isRoundStart{false};  //!< BBR.round_start

    double m_bandwidth{0};                  //!< BBR.bw
    ns3::Time m_minRtt;                     //!< BBR.min_rtt
    ns3::Time m_minRttAt;                   //!< BBR.min_rtt_stamp
    ns3::Time m_probeRttMin;                //!< BBR.probe_rtt_min_delay
    ns3::Time m_probeRttMinAt;              //!< BBR.probe_rtt_min_stamp
    double m_longTermInflight{UNLIMITED};   //!< BBR.inflight_longterm
    double m_shortTermBandwidth{UNLIMITED}; //!< BBR.bw_shortterm
    double m_shortTermInflight{UNLIMITED};  //!< BBR.inflight_shortterm

    bool m_hasFullBandwidth{false};   //!< BBR.full_bw_reached
    bool m_isFullBandwidthNow{false}; //!< BBR.full_bw_now

    bool m_isLossInRound{false};    //!< BBR.is_loss_in_round
    bool m_isLossRoundStart{false}; //!< BBR.loss_round_start
    uint64_t m_lossRoundEnd{0};     //!< BBR.loss_round_delivered
    double m_latestInflight{0};     //!< BBR.inflight_latest
    ns3::Time m_extraAckedFrom;     //!< BBR.extra_acked_interval_start
    double m_extraAcked{0};         //!< BBR.extra_acked

  private:
    /// The highest values of some rounds.
    using Filter = ns3::WindowedFilter<double, ns3::MaxFilter<double>, uint32_t, uint32_t>;

    std::array<double, 2> m_maxBandwidth{}; //!< of the last and the present cycle: max_bw_filter
    double m_fullBandwidth{0};              //!< BBR.full_bw
    uint32_t m_fullRounds{0};               //!< BBR.full_bw_count
    double m_latestBandwidth{0};            //!< BBR.bw_latest
    double m_extraAckedDelivered{0};        //!< BBR.extra_acked_delivered
    Filter m_extraAckedFilter{1, 0, 0};     //!< BBR.extra_acked_filter
};

} // namespace tcpsweep::bbr3

#endif // TCPSWEEP_BBR3_PATH_MODEL_H
