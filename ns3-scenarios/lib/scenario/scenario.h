// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_SCENARIO_H
#define TCPSWEEP_SCENARIO_H

#include "options/options.h"
#include "scenario/network.h"
#include "scenario/scenario-parameters.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tcpsweep
{

/// The specific part of a scenario; scenarios share everything else.
struct Topology
{
    std::string name;     //!< the program's
    uint32_t accessLinks; //!< access links on a flow's path, in addition to the bottleneck
    /// Fixed values of options that only other scenarios have.
    std::vector<Constant> constants;
    /// Builds the network, ready for flows. The parameters hold the values of the shared options;
    /// the scenario reads its own from the options.
    std::function<Network(const ScenarioParameters&, const Options&)> build;
    std::vector<Option> options = {};         //!< the scenario's own options
    std::vector<std::string> attributes = {}; //!< attributes that only these set
    std::vector<Constant> defaults = {};      //!< its own defaults of shared options
    bool isDescribed = false;                 //!< whether its command line describes the network
};

/**
 * A scenario's main(): read the command line, simulate, and write the traces. With `--serve`, do so
 * for each request; see Serve().
 *
 * @param topology the scenario's own part
 * @param argc the number of arguments
 * @param argv the arguments
 * @return the exit status, as from RunProgram
 */
int RunScenario(const Topology& topology, int argc, char** argv);

} // namespace tcpsweep

#endif // TCPSWEEP_SCENARIO_H
