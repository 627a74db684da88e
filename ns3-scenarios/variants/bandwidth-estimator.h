// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_BANDWIDTH_ESTIMATOR_H
#define TCPSWEEP_BANDWIDTH_ESTIMATOR_H

#include <ns3/nstime.h>
#include <ns3/ptr.h>
#include <ns3/tcp-socket-state.h>

#include <cstdint>
#include <optional>

namespace tcpsweep
{

/**
 * The data that each ACK reports: AckedCount of TCP Westwood, section 2.3 of the paper.
 *
 * A duplicate ACK stands for one segment that has arrived. The cumulative ACK that follows reports
 * that segment again, so what the duplicates stood for is subtracted, except for the one segment
 * that triggered it. (ns-3's PktsAcked() counts it twice: one segment per duplicate ACK, and the
 * whole window as the recovery ends. Hence this counts by ACK numbers.) ns-3 does not tell a
 * congestion control which data the SACK blocks of a duplicate ACK report, so they are not counted:
 * if ACKs are lost, a duplicate still stands for one segment, and the rest counts with the
 * cumulative ACK.
 */
class AckedCount
{
  public:
    /**
     * @param tcb the socket's state, with this ACK's number as the last
     * @return bytes that this ACK reports as arrived; 0 for the first ACK, before which no number
     * is known
     */
    uint32_t Count(ns3::Ptr<const ns3::TcpSocketState> tcb);

  private:
    std::optional<ns3::SequenceNumber32> m_last; //!< last ACK number
    uint32_t m_accountedFor = 0;                 //!< bytes that duplicate ACKs stood for
};

/**
 * The low-pass filter of TCP Westwood's bandwidth samples, section 2.2 of the paper: Tustin's
 * approximation of a first-order filter with the time constant tau,
 *
 *     B_k = ((2 tau - D_k) B_(k-1) + D_k (b_k + b_(k-1))) / (2 tau + D_k),
 *
 * where D_k is the time since the sample before. After each tau / m without an ACK, a sample of 0
 * is inserted, so that D_k <= tau / m, and so that the estimate decays while nothing arrives. The
 * first sample is the first estimate; the paper does not say.
 */
class TustinFilter
{
  public:
    /**
     * @param tau time constant
     * @param m the least number of samples per tau
     */
    void Configure(ns3::Time tau, double m);

    /**
     * @param time when the sample was taken
     * @param sample bandwidth, in bit/s
     * @return the estimate, in bit/s
     */
    double Add(ns3::Time time, double sample);

    /**
     * Insert the samples of 0 that are due before a time.
     *
     * @param time that time
     * @return the estimate, in bit/s
     */
    double Until(ns3::Time time);

  private:
    /**
     * @param time when the sample was taken
     * @param sample bandwidth, in bit/s
     */
    void Step(ns3::Time time, double sample);

    ns3::Time m_tau = ns3::MilliSeconds(500);     //!< time constant
    ns3::Time m_longest = ns3::MilliSeconds(250); //!< longest time between samples
    std::optional<ns3::Time> m_lastTime;          //!< when the last sample was taken
    double m_lastSample = 0;                      //!< the last sample, in bit/s
    double m_estimate = 0;                        //!< the estimate, in bit/s
};

/**
 * An estimate of the rate at which a connection's data arrive, and its smallest round-trip time.
 *
 * Westwood takes a sample from each ACK, b_k = d_k / (t_k - t_(k-1)), where d_k is what the ACK
 * reports and t_k when it came; Westwood+ (Grieco and Mascolo, Performance Evaluation and
 * Comparison of Westwood+, New Reno, and Vegas TCP Congestion Control, ACM CCR 34(2), 2004) one
 * from each round trip, filtered as B_k = 0.9 B_(k-1) + 0.1 b_k.
 */
class BandwidthEstimator
{
  public:
    /// What a sample is taken from.
    enum Sampling
    {
        PER_ACK, //!< each ACK, as in Westwood
        PER_RTT  //!< each round trip, as in Westwood+
    };

    /**
     * @param sampling the source of a sample
     * @param filtered whether samples are filtered; else the last one is the estimate
     */
    void Configure(Sampling sampling, bool filtered);

    /**
     * @param tau time constant of the filter of the samples from each ACK
     * @param m the least number of samples per tau
     */
    void ConfigureFilter(ns3::Time tau, double m);

    /**
     * Take in an ACK, at the time of the simulation.
     *
     * @param tcb the socket's state
     */
    void Acked(ns3::Ptr<const ns3::TcpSocketState> tcb);

    /**
     * @return the estimate at the time of the simulation, in bit/s; 0 before there is a sample
     */
    double GetBandwidth();

    /// @return the smallest round trip so far; 0 before there is one
    ns3::Time GetMinRtt() const;

    /// @return the bandwidth-delay product of both, in bytes
    double GetPipe();

  private:
    /**
     * @param time when the sample was taken
     * @param sample bandwidth, in bit/s
     */
    void TakeSample(ns3::Time time, double sample);

    Sampling m_sampling = PER_ACK;         //!< the source of a sample
    bool m_filtered = true;                //!< whether samples are filtered
    AckedCount m_ackedCount;               //!< the bytes that each ACK reports
    TustinFilter m_tustin;                 //!< the filter of the samples from each ACK
    std::optional<ns3::Time> m_begin;      //!< the start of the current sample
    uint32_t m_bytes = 0;                  //!< the bytes of the current sample
    double m_bandwidth = 0;                //!< the estimate, in bit/s
    ns3::Time m_minRtt = ns3::Time::Max(); //!< the smallest round trip
};

} // namespace tcpsweep

#endif // TCPSWEEP_BANDWIDTH_ESTIMATOR_H
