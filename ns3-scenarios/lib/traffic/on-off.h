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

/// TCP flows that are on and off.
struct OnOffParameters
{
    std::optional<ns3::DataRate> rate; //!< what each offers while it is on; nothing for as much as
                                       //!< TCP takes
    Durations on;                      //!< how long it is on
    Durations off;                     //!< how long it is off
    TrafficTimes times;                //!< when it begins and ends

    /// @return the options of this kind
    static std::vector<Option> DeclareOptions();

    /**
     * @param options the options in force
     * @param place what the group is told
     * @return their values
     * @throws UsageError
     */
    static OnOffParameters FromOptions(const Options& options, const TrafficPlace& place);
};

/**
 * TCP flows that are on and off in turn, each over one connection: each node that data come from
 * has a flow, the i-th to the i-th node that they go to, in turn. As fast as TCP allows means that
 * TCP always has some 64 kB that it has not sent yet, and no more, so that little is left to send
 * when the flow is switched off. A burst is finished when it is over and its last byte was read.
 */
class OnOff : public Traffic
{
  public:
    /**
     * @param parameters the parameters
     * @param place what it is told
     * @param rows where its bursts go; nullptr to write none
     */
    OnOff(const OnOffParameters& parameters, const TrafficPlace& place, TransferRows* rows);

  private:
    /// A burst that is not finished.
    struct Burst
    {
        Transfer transfer;  //!< what is known of it
        ns3::Time over;     //!< when its receiver last read of it, or it was switched off
        uint64_t offers{0}; //!< packets offered, if it has a rate
    };

    /// A flow.
    struct Flow
    {
        TrafficNode from;                           //!< its sender
        TrafficNode to;                             //!< its receiver
        ns3::Ptr<ns3::UniformRandomVariable> draws; //!< draws its times
        Connection* connection{nullptr};            //!< its connection, if it is open
        bool on{false};                             //!< whether it is on
        uint64_t credited{0};                       //!< what was read, as far as bursts have it
        std::deque<Burst> bursts;                   //!< those not finished; the last one may be on
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

    /// @param flow a flow whose receiver has read more
    void Take(Flow& flow);

    /**
     * @param flow a flow that is on
     * @param bytes what it gives TCP
     */
    void Give(Flow& flow, uint64_t bytes);

    /// @param flow a flow; write those of its bursts that are finished
    void Settle(Flow& flow);

    /// @param flow a flow that TCP gave up
    void Fail(Flow& flow);

    OnOffParameters m_parameters;               //!< the parameters
    std::vector<std::unique_ptr<Flow>> m_flows; //!< the flows
};

} // namespace tcpsweep

#endif // TCPSWEEP_ON_OFF_H
