// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_KERNEL_STACK_H
#define TCPSWEEP_KERNEL_STACK_H

#include "flows/flow.h"
#include "kernel/kernel-clock.h"
#include "kernel/kernel-flow.h"
#include "kernel/kernel-gate.h"
#include "kernel/kernel-hosts.h"
#include "options/options.h"
#include "output/json.h"
#include "scenario/network.h"
#include "scenario/scenario-parameters.h"
#include "traces/output-files.h"

#include <ns3/type-id.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace tcpsweep
{

/// The hosts of a simulated network that use this machine's TCP instead of ns-3's, and the
/// simulation's time, which is then the kernel's.
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
     * @throws std::runtime_error this machine allows no such hosts
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
     * @return the flow
     */
    std::unique_ptr<Flow> MakeFlow(const Flow::Parameters& parameters, OutputFiles& files);

    /**
     * Leave the kernel's time after the simulation, and check whether the simulation was in time.
     *
     * @throws TryAgain it was too late
     */
    void End();

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
        HostFiles files;           //!< its files
        ns3::Ptr<KernelGate> gate; //!< where its TCP meets the network
        std::size_t given{0};      //!< how many of its sockets are some flow's
    };

    /**
     * @param node a node that flows begin or end at
     * @return its gate, and one of its sockets
     */
    FlowHost Take(ns3::Ptr<ns3::Node> node);

    bool m_isForAll;                               //!< whether all flows have it
    std::map<uint32_t, Host> m_hosts;              //!< by the nodes' ids
    std::map<std::string, std::string> m_settings; //!< the settings in force there
    ns3::Ptr<KernelClock> m_clock;                 //!< the kernel's clock
    uint32_t m_optionBytes{0};                     //!< of TCP's header in each segment
};

} // namespace tcpsweep

#endif // TCPSWEEP_KERNEL_STACK_H
