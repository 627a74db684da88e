// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_GILBERT_ELLIOTT_H
#define TCPSWEEP_GILBERT_ELLIOTT_H

#include "network/way.h"
#include "options/options.h"

#include <ns3/error-model.h>
#include <ns3/nstime.h>
#include <ns3/random-variable-stream.h>

#include <cstdint>
#include <vector>

namespace tcpsweep
{

/**
 * Losses of a channel with a good and a bad state: Gilbert, Capacity of a Burst-Noise Channel,
 * 1960; Elliott, Estimates of Error Rates for Codes on Burst-Noise Channels, 1963. The state may
 * change before each packet except the first, or, with a step, after each step of time. A packet is
 * lost with its state's probability. With a step, an outage has the same duration for a sender that
 * waits for a timeout and for one that keeps sending.
 */
struct GilbertElliott
{
    double goodToBad;  //!< probability per packet or step that a good state turns bad
    double badToGood;  //!< probability per packet or step that a bad state turns good
    double lossInGood; //!< probability of losing a packet in the good state
    double lossInBad;  //!< probability of losing a packet in the bad state
    ns3::Time step{0}; //!< time from one change of the state to the next; 0 for each packet

    /// @return the options
    static std::vector<Option> Declared();

    /**
     * @param options the options in force
     * @return their values
     * @throws UsageError
     */
    static GilbertElliott FromOptions(const Options& options);

    /// @return whether there are such losses
    bool IsOn() const;

    /// @return the share of packets that find a bad state, goodToBad / (goodToBad + badToGood)
    double ShareBad() const;

    /// @return the share of packets that are lost
    double StationaryLoss() const;

    /**
     * A burst is a run of lost packets between two received ones. A packet begins a burst if it is
     * lost and the previous packet is not. So the mean length is P(lost) / (P(lost) - P(lost, and
     * the previous packet too)). It is 1 / badToGood if all packets are lost in the bad state and
     * none in the good one.
     *
     * @return the mean length of a burst in packets; infinity if a burst never ends
     */
    double MeanBurst() const;

    /// @param way the direction whose receiver loses packets
    void Install(const Way& way) const;
};

/**
 * Loses packets as GilbertElliott describes. The first state is random with the stationary shares,
 * so that every packet is lost with the same probability. It uses two random numbers for each
 * packet, or one for each packet and one for each step.
 */
class GilbertElliottModel : public ns3::ErrorModel
{
  public:
    /// @return the type's id
    static ns3::TypeId GetTypeId();

    /**
     * @param parameters the probabilities
     * @param stream number of the random stream
     * @param stateStream number of the state's own random stream, if there is a step: then the
     * state changes at the same times for all senders
     */
    void SetUp(const GilbertElliott& parameters, int64_t stream, int64_t stateStream);

  private:
    /// Let the state change or stay, or draw the first one.
    void MoveState();

    bool DoCorrupt(ns3::Ptr<ns3::Packet> packet) override;
    void DoReset() override;

    GilbertElliott m_parameters{};                     //!< the probabilities
    ns3::Ptr<ns3::UniformRandomVariable> m_draws;      //!< from 0 to 1
    ns3::Ptr<ns3::UniformRandomVariable> m_stateDraws; //!< from 0 to 1, for the state
    int64_t m_nextStep{0};                             //!< the number of the next step
    bool m_hasBegun{false};                            //!< whether there is a state
    bool m_isBad{false};                               //!< the state
};

} // namespace tcpsweep

#endif // TCPSWEEP_GILBERT_ELLIOTT_H
