// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_SCENARIO_PARAMETERS_H
#define TCPSWEEP_SCENARIO_PARAMETERS_H

#include "corrections/corrections.h"
#include "flows/cross-traffic.h"
#include "flows/flow-parameters.h"
#include "network/internet.h"
#include "network/link-parameters.h"
#include "network/link.h"
#include "options/options.h"

#include <ns3/data-rate.h>
#include <ns3/nstime.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tcpsweep
{

/// A group of traffic in addition to the flows, in a custom topology.
struct TrafficGroup
{
    std::string name;              //!< its name
    std::string kind;              //!< the word for its kind
    Options options;               //!< the fields of its kind
    std::vector<std::string> from; //!< the names of the nodes that its data come from
    std::vector<std::string> to;   //!< the names of the nodes that they go to
    ns3::TypeId variant;           //!< its congestion control
    bool hasOwnStream{false};      //!< whether that draws, and from no stream that is given
    uint32_t mtuBytes{0};          //!< the largest IP packet that all its paths carry
    uint32_t segmentBytes{0};      //!< payload of its full segments
    /// its total rate that fills the link of the option `load`; nothing without a load
    std::optional<ns3::DataRate> fullRate;
};

/// The checked parameters, in ns-3's types, that determine a simulation together with ns-3's
/// attributes.
struct ScenarioParameters
{
    Ip ip;                             //!< the version of IP that the nodes speak
    std::vector<FlowParameters> flows; //!< the flows
    /// All links of a custom topology. In other networks only the bottleneck, between nodes named
    /// left and right.
    std::vector<LinkParameters> links;
    CbrParameters cbr;                 //!< UDP flows of a constant bit rate
    std::vector<TrafficGroup> traffic; //!< traffic in addition to the flows
    uint32_t segmentBytes;             //!< payload of the largest segment
    uint32_t wirePacketBytes;          //!< bytes of the largest segment on the wire
    uint32_t socketBufferBytes;        //!< size of each socket's buffers
    bool ecn{false};                   //!< whether TCP uses ECN
    bool ecmp{false};                  //!< whether flows take all shortest ways, by a hash
    ns3::Time startJitter;             //!< the longest random delay of a flow's start
    ns3::Time packetJitter;            //!< the longest random delay of a packet at its sender
    ns3::Time duration;                //!< simulated time
    /// the highest pacing rate of a flow, if ns-3's own limit would be too low
    std::optional<ns3::DataRate> maxPacingRate;
    /// the largest MTU, if discs of CoDel's kind are to take it for ns-3's 1500 bytes
    std::optional<uint32_t> codelBytes;
    Corrections corrections; //!< which of ns-3's known defects in TCP are corrected

    /**
     * @param options the options in force, ns-3's attributes included
     * @param accessLinks access links on a flow's path
     * @return the parameters of flows that share a bottleneck
     * @throws UsageError
     */
    static ScenarioParameters FromOptions(const Options& options, uint32_t accessLinks);

    /**
     * @param payload the payload of a segment
     * @return its bytes on the wire
     */
    uint32_t
    WireBytes(uint32_t payload) const
    {
        return payload + wirePacketBytes - segmentBytes;
    }

    /**
     * @param mtuBytes the largest IP packet of a path
     * @return payload of the largest segment there
     */
    uint32_t
    SegmentBytes(uint32_t mtuBytes) const
    {
        return std::min(segmentBytes, mtuBytes + PPP_HEADER_BYTES + segmentBytes - wirePacketBytes);
    }

    /// @return the bottleneck of a scenario that has one
    const LinkParameters&
    Bottleneck() const
    {
        return links.front();
    }

    /// Set the attributes of ns-3 that the parameters determine.
    void SetAttributes() const;

    /**
     * Set what does not depend on flows: of links, only their MTUs count.
     *
     * @param options the options in force
     * @throws UsageError
     */
    void ReadCommon(const Options& options);

    /**
     * Set what follows from flows and links.
     *
     * @param options the options in force
     */
    void ReadConsequences(const Options& options);
};

} // namespace tcpsweep

#endif // TCPSWEEP_SCENARIO_PARAMETERS_H
