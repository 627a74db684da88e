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

/// What one scenario has of its own; all else they share.
struct Topology
{
    std::string name;     //!< the program's
    uint32_t accessLinks; //!< how many a flow has on its way, beside the bottleneck
    /// The options that other scenarios have and this one has not, and what they stand for here.
    std::vector<Constant> constants;
    /// Builds the network, ready for flows. The parameters are all that the shared options come to;
    /// its own it reads from the options.
    std::function<Network(const ScenarioParameters&, const Options&)> build;
    std::vector<Option> options = {};         //!< those that other scenarios have not
    std::vector<std::string> attributes = {}; //!< those that these set, and that nobody else may
    Ip ip = Ip::V4;                           //!< what the nodes speak
    std::vector<Constant> defaults = {};      //!< those of shared options that are others here
};

/**
 * A scenario's main(): read the command line, simulate, and write what was traced.
 *
 * @param topology what is its own
 * @param argc the number of arguments
 * @param argv the arguments
 * @return the exit status, as RunProgram says
 */
int RunScenario(const Topology& topology, int argc, char** argv);

} // namespace tcpsweep

#endif // TCPSWEEP_SCENARIO_H
