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

/// What distinguishes one scenario; all else is shared.
struct Topology
{
    std::string name;     //!< the program's
    uint32_t accessLinks; //!< access links on a flow's path, beside the bottleneck
    /// Fixed values of the options that other scenarios have and this one does not.
    std::vector<Constant> constants;
    /// Builds the network, ready for flows. The parameters hold the values of the shared options;
    /// the scenario reads its own from the options.
    std::function<Network(const ScenarioParameters&, const Options&)> build;
    std::vector<Option> options = {};         //!< the scenario's own options
    std::vector<std::string> attributes = {}; //!< attributes that only these set
    Ip ip = Ip::V4;                           //!< the version of IP that the nodes speak
    std::vector<Constant> defaults = {};      //!< its own defaults of shared options
    bool isDescribed = false;                 //!< whether its command line describes the network
};

/**
 * A scenario's main(): read the command line, simulate, and write what was traced; with `--serve`,
 * do so for each request, as Serve() says.
 *
 * @param topology the scenario's own part
 * @param argc the number of arguments
 * @param argv the arguments
 * @return the exit status, as RunProgram says
 */
int RunScenario(const Topology& topology, int argc, char** argv);

} // namespace tcpsweep

#endif // TCPSWEEP_SCENARIO_H
