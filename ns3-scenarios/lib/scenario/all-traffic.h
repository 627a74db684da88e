// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_ALL_TRAFFIC_H
#define TCPSWEEP_ALL_TRAFFIC_H

#include "output/json.h"
#include "scenario/network.h"
#include "scenario/scenario-parameters.h"
#include "traffic/traffic.h"
#include "traffic/transfers.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace tcpsweep
{

/// The traffic in addition to the flows.
class AllTraffic
{
  public:
    /**
     * @param network the network, which lives longer than the traffic
     * @param p the parameters, which also live longer
     * @param folder the folder for the file of transfers, if there is traffic
     */
    AllTraffic(const Network& network,
               const ScenarioParameters& p,
               const std::filesystem::path& folder);

    /**
     * End the traffic and close its file.
     *
     * @param checksums receives the file's checksum
     */
    void Close(Checksums& checksums);

    /// @param json the writer, which receives the traffic, node names and number of transfers
    void Write(JsonWriter& json) const;

  private:
    const Network& m_network;                       //!< as given
    std::optional<TransferRows> m_rows;             //!< their transfers
    std::vector<std::unique_ptr<Traffic>> m_groups; //!< the groups
};

} // namespace tcpsweep

#endif // TCPSWEEP_ALL_TRAFFIC_H
