// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_KERNEL_STACK_H
#define TCPSWEEP_KERNEL_STACK_H

#include "flows/flow.h"
#include "kernel/kernel-flow.h"
#include "kernel/kernel-gate.h"
#include "kernel/kernel-hosts.h"
#include "kernel/program-flow.h"
#include "kernel/virtual-time.h"
#include "options/options.h"
#include "output/json.h"
#include "scenario/network.h"
#include "scenario/scenario-parameters.h"
#include "traces/output-files.h"

#include <ns3/type-id.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tcpsweep
{

/// The hosts of a simulated network that use the TCP of the kernel in which the simulation runs,
/// and the simulation's time, which is then the kernel's.
class KernelStack
{
  public:
    /**
     * @param options the options
     * @param p the parameters
     * @return whether they request it for any flow
     * @throws UsageError they ask for it where it cannot be
     */
    static bool IsAskedFor(const Options& options, const ScenarioParameters& p);

    /**
     * Make the hosts of its flows; the simulation has the kernel's time from now on.
     *
     * @param network the network
     * @param p the parameters
     * @param options the options
     * @throws UsageError a flow requests a feature that the kernel lacks
     * @throws std::runtime_error the kernel allows no such hosts
     */
    KernelStack(const Network& network, const ScenarioParameters& p, const Options& options);

    /**
     * @param variant a flow's variant
     * @return whether the flow uses this TCP
     */
    bool Has(ns3::TypeId variant) const;

    /**
     * @param parameters the parameters of a flow that uses it
     * @param files the files for its traces
     * @param folder the folder for its programs' output
     * @return the flow
     */
    std::unique_ptr<Flow> MakeFlow(const Flow::Parameters& parameters,
                                   OutputFiles& files,
                                   const std::filesystem::path& folder);

    /**
     * Leave the kernel's time after the simulation, and end the programs.
     *
     * @param checksums gets those of the programs' files
     * @throws std::runtime_error a program failed
     */
    void End(Checksums& checksums);

    /// @return the sysctls in force, and the kernel's release
    const std::map<std::string, std::string>&
    Settings() const
    {
        return m_settings;
    }

    /// @param json the writer, which receives a member of an object
    void Write(JsonWriter& json);

  private:
    /// A host of flows.
    struct Host
    {
        HostFiles files;                         //!< its files
        std::vector<ns3::Ptr<KernelGate>> gates; //!< where its TCP, and other protocols, meet the
                                                 //!< network; TCP's first
        std::size_t given{0};                    //!< how many of its sockets are some flow's
    };

    /**
     * @param node a node that flows begin or end at
     * @return its gate, and one of its sockets
     */
    FlowHost Take(ns3::Ptr<ns3::Node> node);

    /**
     * @param parameters the parameters of a flow of programs
     * @param folder the folder for their output
     * @return its programs
     */
    ProgramFlow::Ends
    MakePrograms(const Flow::Parameters& parameters, const std::filesystem::path& folder);

    bool m_isForAll;                                      //!< whether all flows have it
    std::map<uint32_t, Host> m_hosts;                     //!< by the nodes' ids
    std::map<std::string, std::string> m_settings;        //!< the settings in force there
    ns3::Ptr<VirtualTime> m_clock;                        //!< the kernel's clock
    uint32_t m_optionBytes{0};                            //!< of TCP's header in each segment
    ns3::Time m_duration;                                 //!< when the simulation ends
    std::vector<std::shared_ptr<HostProgram>> m_programs; //!< the programs of its flows
};

} // namespace tcpsweep

#endif // TCPSWEEP_KERNEL_STACK_H
