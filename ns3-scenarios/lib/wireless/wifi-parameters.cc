// SPDX-License-Identifier: GPL-2.0-only
#include "wireless/wifi-parameters.h"

#include "options/ns3-types.h"
#include "options/values.h"

#include <ns3/wifi-remote-station-manager.h>

#include <algorithm>
#include <map>
#include <utility>

namespace tcpsweep
{

namespace
{

const std::map<std::string, ns3::WifiStandard> STANDARDS = {
    {"802.11a", ns3::WIFI_STANDARD_80211a},
    {"802.11b", ns3::WIFI_STANDARD_80211b},
    {"802.11g", ns3::WIFI_STANDARD_80211g},
    {"802.11n", ns3::WIFI_STANDARD_80211n},
    {"802.11ac", ns3::WIFI_STANDARD_80211ac},
    {"802.11ax", ns3::WIFI_STANDARD_80211ax},
};

/// The bands, with their names in the attribute ChannelSettings.
const std::map<std::string, std::pair<ns3::WifiPhyBand, std::string>> BANDS = {
    {"2.4GHz", {ns3::WIFI_PHY_BAND_2_4GHZ, "BAND_2_4GHZ"}},
    {"5GHz", {ns3::WIFI_PHY_BAND_5GHZ, "BAND_5GHZ"}},
    {"6GHz", {ns3::WIFI_PHY_BAND_6GHZ, "BAND_6GHZ"}},
};

/// The rate controls that know no rates beyond 802.11g, and end the process at others.
const std::vector<std::string> LEGACY_RATE_CONTROLS = {
    "ns3::AarfWifiManager",
    "ns3::AarfcdWifiManager",
    "ns3::AmrrWifiManager",
    "ns3::AparfWifiManager",
    "ns3::ArfWifiManager",
    "ns3::CaraWifiManager",
    "ns3::MinstrelWifiManager",
    "ns3::OnoeWifiManager",
    "ns3::ParfWifiManager",
    "ns3::RraaWifiManager",
    "ns3::RrpaaWifiManager",
};

/**
 * @param options the options in force
 * @param standard the standard
 * @return the band's name in ChannelSettings, if the standard has the band; empty for auto
 */
std::string
ReadBand(const Options& options, ns3::WifiStandard standard)
{
    const auto& available = ns3::wifiStandards.at(standard);
    std::vector<std::string> names = {"auto"};
    for (const auto& [name, band] : BANDS)
    {
        if (std::find(available.begin(), available.end(), band.first) != available.end())
        {
            names.push_back(name);
        }
    }
    const auto& name = options.Text("band");
    if (std::find(names.begin(), names.end(), name) == names.end())
    {
        throw UsageError("band",
                         options.Text("standard") + " has " + Join(names, " or ") + ", not '" +
                             name + "'");
    }
    return name == "auto" ? "" : BANDS.at(name).second;
}

} // namespace

std::vector<Option>
WifiParameters::DeclareOptions()
{
    return {
        ParameterOption("standard", "802.11a, 802.11b, 802.11g, 802.11n, 802.11ac or 802.11ax"),
        ParameterOption(
            "band",
            "2.4GHz, 5GHz or 6GHz, or auto for what ns3::WifiPhy::ChannelSettings says, by default "
            "the standard's"),
        ParameterOption("rate_control",
                        "Rate control, which chooses the rate of each frame, an ns-3 TypeId "
                        "without its ns3:: prefix"),
    };
}

WifiParameters
WifiParameters::FromOptions(const Options& options)
{
    const auto standard = options.As("standard",
                                     [](const std::string& text)
                                     {
                                         std::vector<std::string> names;
                                         for (const auto& [name, unused] : STANDARDS)
                                         {
                                             names.push_back(name);
                                         }
                                         return STANDARDS.at(ParseWord(text, names));
                                     });
    const auto control = options.As(
        "rate_control",
        [](const std::string& text)
        { return FindType(text, ns3::WifiRemoteStationManager::GetTypeId(), "rate control"); });
    const bool legacy =
        std::find(LEGACY_RATE_CONTROLS.begin(), LEGACY_RATE_CONTROLS.end(), control.GetName()) !=
        LEGACY_RATE_CONTROLS.end();
    if (legacy && standard >= ns3::WIFI_STANDARD_80211n)
    {
        throw UsageError("rate_control",
                         options.Text("rate_control") + " does not know the rates of " +
                             options.Text("standard") +
                             "; give one that does, such as "
                             "IdealWifiManager or MinstrelHtWifiManager");
    }
    const auto band = ReadBand(options, standard);
    return {standard, band.empty() ? "" : "{0, 0, " + band + ", 0}", control};
}

} // namespace tcpsweep
