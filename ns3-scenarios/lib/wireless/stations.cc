// SPDX-License-Identifier: GPL-2.0-only
#include "wireless/stations.h"

#include "network/streams.h"
#include "options/ns3-types.h"
#include "options/values.h"

#include <ns3/constant-position-mobility-model.h>
#include <ns3/double.h>
#include <ns3/mobility-model.h>
#include <ns3/object-factory.h>
#include <ns3/simulator.h>
#include <ns3/vector.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace tcpsweep
{

namespace
{

constexpr double LEAST_METRES = 1e-3;
constexpr double MOST_METRES = 1e6;
/// The length of a metre in the animation.
constexpr double DRAWN_METRE = 20;

/**
 * @param p the parameters
 * @param place a place's number
 * @return its position, in m
 */
ns3::Vector
PositionOf(const StationParameters& p, uint32_t place)
{
    return {p.spacing * (place % p.columns), p.spacing * (place / p.columns), 0};
}

/**
 * @param p the parameters
 * @param side a side
 * @return the number of its first place
 */
uint32_t
FirstPlace(const StationParameters& p, Side side)
{
    return side == Side::LEFT ? 0 : p.perSide + 1;
}

/**
 * @param p the parameters
 * @param side a side
 * @return the distance from its router to the nearest of its stations, in m
 */
double
NearestStation(const StationParameters& p, Side side)
{
    const uint32_t first = FirstPlace(p, side);
    const auto router = PositionOf(p, first + p.perSide);
    double nearest = std::numeric_limits<double>::max();
    for (uint32_t i = 0; i < p.perSide; ++i)
    {
        nearest = std::min(nearest, ns3::CalculateDistance(PositionOf(p, first + i), router));
    }
    return nearest;
}

/**
 * @param p the parameters
 * @return whether the option coverage sets how far signals reach
 */
bool
FadesByRange(const StationParameters& p)
{
    return p.propagation == ns3::RangePropagationLossModel::GetTypeId();
}

/**
 * @param p the parameters
 * @param coverage the option's text
 */
void
CheckCoverage(const StationParameters& p, const std::string& coverage)
{
    if (!FadesByRange(p))
    {
        if (coverage != ParameterOption("coverage", "").value)
        {
            throw UsageError("coverage",
                             "is for RangePropagationLossModel; " + p.propagation.GetName() +
                                 " has attributes of its own");
        }
        return;
    }
    const double needed = std::max(NearestStation(p, Side::LEFT), NearestStation(p, Side::RIGHT));
    if (p.coverage < needed)
    {
        std::ostringstream least;
        least << std::ceil(needed * 1000) / 1000;
        throw UsageError("coverage",
                         coverage +
                             " m reaches no station of one side from its router; expected "
                             "at least " +
                             least.str() + " m");
    }
}

} // namespace

std::vector<Option>
StationParameters::DeclareOptions()
{
    return {
        ParameterOption("stations", "Number of stations on each side"),
        ParameterOption("coverage", "Range of a signal, for RangePropagationLossModel"),
        ParameterOption("spacing", "Distance between neighbouring positions of the grid"),
        ParameterOption("columns", "Number of positions in a row of the grid"),
        ParameterOption(
            "propagation",
            "How signals fade, a propagation loss model's ns-3 TypeId without its ns3:: prefix"),
    };
}

std::vector<std::string>
StationParameters::Attributes()
{
    return {"ns3::RangePropagationLossModel::MaxRange"};
}

std::vector<Constant>
StationParameters::WiredConstants(const std::string& ip, const std::string& mtu)
{
    return {{"ip", ip},
            {"mtu", mtu},
            {"reverse_flows", "0"},
            {"stack", "ns-3"},
            {"access_bandwidth", "none"},
            {"access_delay", "none"},
            {"receiver_access_bandwidth", "none"},
            {"receiver_access_delay", "none"},
            {"packet_jitter", "0"}};
}

StationParameters
StationParameters::FromOptions(const Options& options)
{
    const auto metres = [](const std::string& text)
    {
        return ParseNumber(text, LEAST_METRES, MOST_METRES);
    };
    const auto count = [&options](const std::string& name, uint64_t most)
    {
        return static_cast<uint32_t>(options.As(name,
                                                [most](const std::string& text)
                                                { return ParseCount(text, 1, most); }));
    };
    const StationParameters p{count("stations", 200),
                              count("columns", 1000),
                              options.As("spacing", metres),
                              options.As("coverage", metres),
                              options.As("propagation",
                                         [](const std::string& text)
                                         {
                                             return FindType(text,
                                                             ns3::PropagationLossModel::GetTypeId(),
                                                             "propagation loss model");
                                         })};
    const uint32_t pairs = p.perSide * p.perSide;
    if (count("flows", 1000) > pairs)
    {
        throw UsageError("flows",
                         "expected at most " + std::to_string(pairs) + ", the pairs of " +
                             std::to_string(p.perSide) + " stations on each side, got '" +
                             options.Text("flows") + "'");
    }
    CheckCoverage(p, options.Text("coverage"));
    return p;
}

ns3::Ptr<ns3::PropagationLossModel>
StationParameters::MakeLoss() const
{
    ns3::ObjectFactory factory(propagation.GetName());
    if (FadesByRange(*this))
    {
        factory.Set("MaxRange", ns3::DoubleValue(coverage));
    }
    return factory.Create<ns3::PropagationLossModel>();
}

std::string
StationInterface(Side side, uint32_t i)
{
    return (side == Side::LEFT ? "sender" : "receiver") + std::to_string(i);
}

Stations::Stations(const StationParameters& parameters, const std::string& router)
    : m_parameters(parameters)
{
    for (const auto side : {Side::LEFT, Side::RIGHT})
    {
        const bool left = side == Side::LEFT;
        for (uint32_t i = 0; i < parameters.perSide; ++i)
        {
            Add(side, "station", (left ? "sender " : "receiver ") + std::to_string(i));
        }
        Add(side, router, (left ? "left " : "right ") + router);
    }
}

void
Stations::Add(Side side, const std::string& role, const std::string& name)
{
    const auto place = ns3::CreateObject<ns3::ConstantPositionMobilityModel>();
    place->SetPosition(PositionOf(m_parameters, static_cast<uint32_t>(m_members.size())));
    const auto node = ns3::CreateObject<ns3::Node>();
    node->AggregateObject(place);
    m_members.push_back({node, name, side, role, {}});
}

ns3::NodeContainer
Stations::All() const
{
    ns3::NodeContainer nodes;
    for (const auto& member : m_members)
    {
        nodes.Add(member.node);
    }
    return nodes;
}

ns3::Ptr<ns3::Node>
Stations::Station(Side side, uint32_t i) const
{
    return m_members[FirstPlace(m_parameters, side) + i].node;
}

ns3::Ptr<ns3::Node>
Stations::Router(Side side) const
{
    return m_members[FirstPlace(m_parameters, side) + m_parameters.perSide].node;
}

FlowEnds
Stations::EndsOf(uint32_t i) const
{
    const uint32_t stations = m_parameters.perSide;
    const uint32_t sender = i % stations;
    const uint32_t receiver = (i + i / stations) % stations;
    return {Station(Side::LEFT, sender),
            Station(Side::RIGHT, receiver),
            StationInterface(Side::LEFT, sender),
            StationInterface(Side::RIGHT, receiver)};
}

std::vector<Animation::Place>
Stations::Places() const
{
    std::vector<Animation::Place> places;
    for (const auto& member : m_members)
    {
        const auto position = member.node->GetObject<ns3::MobilityModel>()->GetPosition();
        places.push_back(
            {member.node, member.name, DRAWN_METRE * position.x, DRAWN_METRE * position.y});
    }
    return places;
}

void
Stations::NoteAssociation(ns3::Ptr<ns3::Node> station)
{
    const auto member =
        std::find_if(m_members.begin(),
                     m_members.end(),
                     [&station](const Member& candidate) { return candidate.node == station; });
    if (!member->association)
    {
        member->association = ns3::Simulator::Now();
    }
}

void
Stations::Write(JsonWriter& json, const Radio& radio) const
{
    const auto loss = m_parameters.MakeLoss();
    loss->AssignStreams(StreamOf(Draw::PROPAGATION, 2 * STREAMS_PER_NODE));
    json.BeginArray();
    for (const auto& member : m_members)
    {
        const auto position = member.node->GetObject<ns3::MobilityModel>()->GetPosition();
        const auto associated =
            member.association ? std::optional(member.association->GetSeconds()) : std::nullopt;
        json.BeginObject()
            .Member("node", member.node->GetId())
            .Member("name", member.name)
            .Member("side", member.side == Side::LEFT ? "left" : "right")
            .Member("role", member.role)
            .Member("x_m", position.x)
            .Member("y_m", position.y)
            .Member("hears", HeardBy(member, radio, *loss))
            .Member("associated_s", associated)
            .EndObject();
    }
    json.EndArray();
}

std::vector<uint32_t>
Stations::HeardBy(const Member& receiver, const Radio& radio, ns3::PropagationLossModel& loss) const
{
    std::vector<uint32_t> heard;
    const auto here = receiver.node->GetObject<ns3::MobilityModel>();
    for (const auto& sender : m_members)
    {
        if (sender.side != receiver.side || sender.node == receiver.node)
        {
            continue;
        }
        const auto there = sender.node->GetObject<ns3::MobilityModel>();
        if (loss.CalcRxPower(radio.txPowerDbm, there, here) >= radio.sensitivityDbm)
        {
            heard.push_back(sender.node->GetId());
        }
    }
    return heard;
}

} // namespace tcpsweep
