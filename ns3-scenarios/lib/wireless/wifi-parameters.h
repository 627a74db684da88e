// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_WIFI_PARAMETERS_H
#define TCPSWEEP_WIFI_PARAMETERS_H

#include "options/options.h"

#include <ns3/type-id.h>
#include <ns3/wifi-standards.h>

#include <string>
#include <vector>

namespace tcpsweep
{

/// The parameters common to all Wi-Fi devices.
struct WifiParameters
{
    ns3::WifiStandard standard;  //!< the standard
    std::string channelSettings; //!< a device's attribute of that name; empty to leave it
    ns3::TypeId rateControl;     //!< the rate control

    /// @return the options that set them, with defaults
    static std::vector<Option> DeclareOptions();

    /**
     * @param options the options in force
     * @return their values
     * @throws UsageError also if they do not go together
     */
    static WifiParameters FromOptions(const Options& options);
};

} // namespace tcpsweep

#endif // TCPSWEEP_WIFI_PARAMETERS_H
