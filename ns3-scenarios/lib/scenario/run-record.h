// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_RUN_RECORD_H
#define TCPSWEEP_RUN_RECORD_H

#include "flows/flow.h"
#include "options/options.h"
#include "output/json.h"
#include "scenario/network.h"
#include "traces/output-files.h"
#include "traces/packet-capture.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tcpsweep
{

/// Values of attributes by full name.
using Settings = std::map<std::string, std::string>;

/**
 * @param flows the flows
 * @param traffic the groups of traffic
 * @param links the traced links
 * @param kernels the kernel's settings in force for flows' hosts
 * @return these settings; the values in force of the attributes of ns-3's TCP and its variants, if
 * flows or traffic use it; and the attributes of the links' queue discs, from the first of a kind
 */
Settings CollectSettings(const std::vector<std::unique_ptr<Flow>>& flows,
                         const std::vector<TrafficGroup>& traffic,
                         const std::vector<TracedLink>& links,
                         Settings kernels);

/// `run.json`: a simulation's settings, outcome and cost, written after its other files.
struct RunRecord
{
    std::string scenario;                        //!< the program
    std::vector<std::string> arguments;          //!< its arguments
    std::chrono::steady_clock::time_point begin; //!< when it began
    const Options& options;                      //!< its options
    std::function<void(JsonWriter&)> derived;    //!< writes members that follow from the options
    const std::vector<std::unique_ptr<Flow>>& flows; //!< the flows
    std::function<void(JsonWriter&)> more;           //!< writes further members
    Settings settings;                               //!< attributes in force
    std::vector<std::string> unavailable; //!< traces that these flows' TCP does not provide
    const OutputFiles& files;             //!< the files written
    const PacketCapture& captures;        //!< the captures made

    /**
     * @param path the file
     * @param checksums receives its checksum
     * @throws OutputError
     */
    void Write(const std::filesystem::path& path, Checksums& checksums) const;
};

} // namespace tcpsweep

#endif // TCPSWEEP_RUN_RECORD_H
