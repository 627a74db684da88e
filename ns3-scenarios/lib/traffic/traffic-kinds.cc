// SPDX-License-Identifier: GPL-2.0-only
#include "traffic/traffic-kinds.h"

#include "options/values.h"
#include "traffic/arrivals.h"
#include "traffic/incast.h"
#include "traffic/on-off.h"
#include "traffic/realtime.h"
#include "traffic/video.h"
#include "traffic/web.h"

#include <algorithm>

namespace tcpsweep
{

namespace
{

/// A kind of traffic.
struct TrafficKind
{
    std::string name;                 //!< the word for it
    std::vector<Option> (*declare)(); //!< its own options
    /// installs a group
    std::unique_ptr<Traffic> (*make)(const Options&, const TrafficPlace&, TransferRows*);
};

/**
 * @tparam Group its class
 * @tparam Parameters the parameters of the class
 * @param name the word for it
 * @return a kind of traffic
 */
template <typename Group, typename Parameters>
TrafficKind
Kind(const std::string& name)
{
    return {
        name,
        Parameters::DeclareOptions,
        [](const Options& options,
           const TrafficPlace& place,
           TransferRows* rows) -> std::unique_ptr<Traffic>
        { return std::make_unique<Group>(Parameters::FromOptions(options, place), place, rows); }};
}

/// @return all kinds
const std::vector<TrafficKind>&
AllTrafficKinds()
{
    static const std::vector<TrafficKind> kinds = {
        Kind<Arrivals, ArrivalParameters>("arrivals"),
        Kind<Incast, IncastParameters>("incast"),
        Kind<OnOff, OnOffParameters>("on-off"),
        Kind<Web, WebParameters>("web"),
        Kind<Video, VideoParameters>("video"),
        Kind<Realtime, RealtimeParameters>("realtime"),
    };
    return kinds;
}

/**
 * @param name the word for a kind
 * @return the kind
 */
const TrafficKind&
FindTrafficKind(const std::string& name)
{
    ParseWord(name, TrafficKinds());
    const auto& kinds = AllTrafficKinds();
    return *std::find_if(kinds.begin(),
                         kinds.end(),
                         [&name](const auto& kind) { return kind.name == name; });
}

} // namespace

std::vector<std::string>
TrafficKinds()
{
    std::vector<std::string> names;
    for (const auto& kind : AllTrafficKinds())
    {
        names.push_back(kind.name);
    }
    return names;
}

std::vector<Option>
DeclareTrafficOptions(const std::string& kind)
{
    auto options = TrafficTimes::DeclareOptions();
    for (const auto& option : FindTrafficKind(kind).declare())
    {
        options.push_back(option);
    }
    return options;
}

std::unique_ptr<Traffic>
MakeTraffic(const std::string& kind,
            const Options& options,
            const TrafficPlace& place,
            TransferRows* rows)
{
    return FindTrafficKind(kind).make(options, place, rows);
}

} // namespace tcpsweep
