// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_STATIONS_H
#define TCPSWEEP_STATIONS_H

#include "network/flow-ends.h"
#include "options/options.h"
#include "output/json.h"
#include "traces/animation.h"

#include <ns3/node-container.h>
#include <ns3/node.h>
#include <ns3/nstime.h>
#include <ns3/propagation-loss-model.h>
#include <ns3/type-id.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * The shared part of wireless dumbbells, for any radio: two sides of stations with a router each,
 * on one grid, and the fading of signals between them.
 */

namespace tcpsweep
{

/// The positions of stations and the fading of signals between them.
struct StationParameters
{
    uint32_t perSide;        //!< stations on each side
    uint32_t columns;        //!< places in a row of the grid
    double spacing;          //!< between two places, in m
    double coverage;         //!< the range of RangePropagationLossModel, in m
    ns3::TypeId propagation; //!< the model of fading

    /// @return the options that set them, with defaults
    static std::vector<Option> DeclareOptions();

    /// @return the attributes that these options set
    static std::vector<std::string> Attributes();

    /**
     * @param ip the version of IP
     * @param mtu the largest packet that all links carry
     * @return these, and fixed values of options of wired scenarios that mean nothing for stations
     */
    static std::vector<Constant> WiredConstants(const std::string& ip, const std::string& mtu);

    /**
     * @param options the options in force
     * @return their values
     * @throws UsageError also if flows outnumber the pairs of stations, or no station of a side is
     * in reach of its router
     */
    static StationParameters FromOptions(const Options& options);

    /// @return a model of fading
    ns3::Ptr<ns3::PropagationLossModel> MakeLoss() const;
};

/// Random streams reserved for one node or one side.
constexpr uint32_t STREAMS_PER_NODE = 100;

/// The sides of a wireless dumbbell.
enum class Side
{
    LEFT, //!< the senders' side
    RIGHT //!< the receivers' side
};

/**
 * @param side a side
 * @return its router's number among random streams
 */
constexpr uint32_t
RouterStream(Side side)
{
    return static_cast<uint32_t>(side);
}

/**
 * @param side a side
 * @param i one of its stations
 * @return the station's number among random streams, for any number of stations
 */
constexpr uint32_t
StationStream(Side side, uint32_t i)
{
    return 2 * (i + 1) + static_cast<uint32_t>(side);
}

/**
 * @param side a side
 * @param i one of its stations
 * @return label of the station's interface, such as sender3
 */
std::string StationInterface(Side side, uint32_t i);

/// Transmit power and sensitivity of all radios.
struct Radio
{
    double txPowerDbm;     //!< power of transmitted signals
    double sensitivityDbm; //!< the least power of a signal that is received
};

/**
 * The nodes of both sides, on a grid that is filled row by row: the senders' stations and their
 * router, then the receivers' and theirs.
 */
class Stations
{
  public:
    /**
     * Make the nodes, with a position and nothing else.
     *
     * @param parameters the positions
     * @param router the routers' role
     */
    Stations(const StationParameters& parameters, const std::string& router);

    /// @return all nodes
    ns3::NodeContainer All() const;

    /**
     * @param side a side
     * @param i one of its stations
     * @return the station
     */
    ns3::Ptr<ns3::Node> Station(Side side, uint32_t i) const;

    /**
     * @param side a side
     * @return its router
     */
    ns3::Ptr<ns3::Node> Router(Side side) const;

    /**
     * With L stations a side, flow i goes from station i mod L to station (i + i / L) mod L, so
     * that no two of L² flows have the same ends.
     *
     * @param i a flow
     * @return its ends
     */
    FlowEnds EndsOf(uint32_t i) const;

    /// @return the position of each node in the animation
    std::vector<Animation::Place> Places() const;

    /**
     * Note that a station is associated with its access point; only the first time counts.
     *
     * @param station the station
     */
    void NoteAssociation(ns3::Ptr<ns3::Node> station);

    /**
     * Write a list of the nodes: their roles and positions, and the nodes of their own side that
     * they hear, from a single random number if fading is random.
     *
     * @param json the writer, which receives a value
     * @param radio the nodes' radios
     */
    void Write(JsonWriter& json, const Radio& radio) const;

  private:
    /// A node.
    struct Member
    {
        ns3::Ptr<ns3::Node> node;             //!< the node
        std::string name;                     //!< such as sender 3
        Side side;                            //!< its side
        std::string role;                     //!< station, or the routers' role
        std::optional<ns3::Time> association; //!< when it first associated; nothing if never
    };

    /**
     * Make a node at the next place.
     *
     * @param side its side
     * @param role its role
     * @param name its name
     */
    void Add(Side side, const std::string& role, const std::string& name);

    /**
     * @param receiver a member
     * @param radio the nodes' radios
     * @param loss the model of fading
     * @return the ids of the nodes of its side whose signals it receives
     */
    std::vector<uint32_t>
    HeardBy(const Member& receiver, const Radio& radio, ns3::PropagationLossModel& loss) const;

    StationParameters m_parameters; //!< the positions
    std::vector<Member> m_members;  //!< the nodes, in the order of their places
};

} // namespace tcpsweep

#endif // TCPSWEEP_STATIONS_H
