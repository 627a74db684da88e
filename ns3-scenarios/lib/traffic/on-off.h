// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_ON_OFF_H
#define TCPSWEEP_ON_OFF_H

#include "traffic/durations.h"
#include "traffic/traffic.h"

#include <ns3/random-variable-stream.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace tcpsweep
{

/// TCP flows that are on and off in turn.
struct OnOffParameters
{
    std::optional<ns3::DataRate> rate; //!< the rate of a flow while it is on; nothing for as fast
                                       //!< as TCP allows
    Durations on;                      //!< how long it is on
    Durations off;                     //!< how long it is off
    TrafficTimes times;                //!< when it begins and ends

    /// @return the options of this kind
    static std::vector<Option> DeclareOptions();

    /**
     * @param options the options in force
     * @param place the group's surroundings
     * @return their values
     * @throws UsageError
     */
    static OnOffParameters FromOptions(const Options& options, const TrafficPlace& place);
};

/**
 * TCP flows that are on and off in turn, each over one connection. Each source node has a flow; the
 * i-th flow goes to the i-th destination, and destinations repeat in turn. Without a rate, TCP
 * always has about 64 kB of unsent bytes, so that little is left to send when the flow is switched
 * off. A burst is finished when it is over and its last byte was read.
 */
class OnOff : public Traffic
{
  public:
    /**
     * @param parameters the parameters
     * @param place its surroundings
     * @param rows the rows for its bursts; nullptr to write none
     */
    OnOff(const OnOffParameters& parameters, const TrafficPlace& place, TransferRows* rows);

  private:
    /// A burst that is not finished.
    struct Burst
    {
        Transfer transfer;  //!< its row so far
        ns3::Time over;     //!< when its last byte so far was read, or it was switched off
        uint64_t offers{0}; //!< packets offered, if it has a rate
    };

    /// A flow.
    struct Flow
    {
        TrafficNode from;                           //!< its sender
        TrafficNode to;                             //!< its receiver
        ns3::Ptr<ns3::UniformRandomVariable> draws; //!< random numbers for its times
        Connection* connection{nullptr};            //!< its connection, if it is open
        bool on{false};                             //!< whether it is on
        uint64_t credited{0};                       //!< bytes read that are assigned to bursts
        std::deque<Burst> bursts; //!< the unfinished bursts; the last one may be on
    };

    void EndAll() override;
    void WriteKind(JsonWriter& json) const override;

    /// @param flow a flow that is switched on
    void SwitchOn(Flow& flow);

    /// @param flow a flow that is switched off
    void SwitchOff(Flow& flow);

    /// @param flow a flow that offers a packet at its rate, and waits for the next
    void Offer(Flow& flow);

    /// @param flow a flow without a rate that gives TCP more, if it is on
    void Fill(Flow& flow);

    /// @param flow a flow whose receiver has read more bytes
    void Take(Flow& flow);

    /**
     * @param flow a flow that is on
     * @param bytes the bytes to give to TCP
     */
    void Give(Flow& flow, uint64_t bytes);

    /// @param flow a flow; write its finished bursts
    void Settle(Flow& flow);

    /// @param flow a flow in which TCP gave up
    void Fail(Flow& flow);

    OnOffParameters m_parameters;               //!< the parameters
    std::vector<std::unique_ptr<Flow>> m_flows; //!< the flows
};

} // namespace tcpsweep

#endif // TCPSWEEP_ON_OFF_H
