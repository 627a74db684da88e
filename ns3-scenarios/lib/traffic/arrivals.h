// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_ARRIVALS_H
#define TCPSWEEP_ARRIVALS_H

#include "traffic/sizes.h"
#include "traffic/traffic.h"

#include <ns3/random-variable-stream.h>

#include <cstdint>
#include <unordered_map>

namespace tcpsweep
{

/// Flows that arrive as a Poisson process.
struct ArrivalParameters
{
    Sizes sizes;        //!< the flows' payload
    double rate;        //!< arrivals per second
    uint64_t limit;     //!< the number of flows after which none arrives; 0 for no limit
    TrafficTimes times; //!< when the first and the last may arrive

    /// @return the options of this kind
    static std::vector<Option> DeclareOptions();

    /**
     * Arrivals at a load L of a link with C bit/s and sizes of mean S come at a rate of L C / (8
     * S): the load is of payload, as in the papers' generators (Alizadeh et al., pFabric, SIGCOMM
     * 2013, and Li et al., HPCC, SIGCOMM 2019); headers and acknowledgments come on top.
     *
     * @param options the options in force
     * @param place the group's surroundings
     * @return their values
     * @throws UsageError
     */
    static ArrivalParameters FromOptions(const Options& options, const TrafficPlace& place);
};

/**
 * Flows that arrive as a Poisson process, from random hosts to other random hosts, each over its
 * own TCP connection. A flow begins when it arrives, with its handshake, and is finished when the
 * receiver has read all its bytes. Gaps, sizes and hosts have a random stream each.
 */
class Arrivals : public Traffic
{
  public:
    /**
     * @param parameters the parameters
     * @param place its surroundings
     * @param rows the rows for its flows; nullptr to write none
     */
    Arrivals(const ArrivalParameters& parameters, const TrafficPlace& place, TransferRows* rows);

  private:
    void EndAll() override;
    void WriteKind(JsonWriter& json) const override;

    /// Wait for the next arrival, if there is one.
    void Await();

    /// Let a flow arrive.
    void Arrive();

    /**
     * @param nodes nodes
     * @return one of them by chance
     */
    const TrafficNode& Pick(const std::vector<TrafficNode>& nodes);

    ArrivalParameters m_parameters;                      //!< the parameters
    ns3::Ptr<ns3::ExponentialRandomVariable> m_gaps;     //!< random gaps with a mean of 1
    ns3::Ptr<ns3::UniformRandomVariable> m_sizes;        //!< random numbers for the sizes
    ns3::Ptr<ns3::UniformRandomVariable> m_hosts;        //!< random numbers for the hosts
    double m_next{0};                                    //!< the next arrival, in s after the start
    std::unordered_map<uint32_t, Transfer> m_unfinished; //!< flows that are not finished, by number
};

} // namespace tcpsweep

#endif // TCPSWEEP_ARRIVALS_H
