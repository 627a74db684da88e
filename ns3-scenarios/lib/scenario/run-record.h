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
 * @param kernels what is in force in the kernel that flows' hosts are
 * @return that; the values in force of the attributes of ns-3's TCP and its variants, if flows or
 * traffic have it; and those of the links' queue discs, of several of one kind the first's
 */
Settings CollectSettings(const std::vector<std::unique_ptr<Flow>>& flows,
                         const std::vector<TrafficGroup>& traffic,
                         const std::vector<TracedLink>& links,
                         Settings kernels);

/// `run.json`: the settings, outcome and cost of a simulation, once its other files are closed.
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
    std::vector<std::string> unavailable;            //!< traces that these flows' TCP does not tell
    const OutputFiles& files;                        //!< the files written
    const PacketCapture& captures;                   //!< the captures made

    /**
     * @param path the file
     * @param checksums gets its
     * @throws OutputError
     */
    void Write(const std::filesystem::path& path, Checksums& checksums) const;
};

} // namespace tcpsweep

#endif // TCPSWEEP_RUN_RECORD_H
