// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_KERNEL_CLOCK_H
#define TCPSWEEP_KERNEL_CLOCK_H

#include "output/json.h"

#include <ns3/node.h>
#include <ns3/object.h>
#include <ns3/ptr.h>

#include <cstdint>
#include <functional>

namespace tcpsweep
{

/// Keeps a simulation and the kernel of its hosts at the same time, and delivers the kernel's
/// packets to the simulation.
class KernelClock : public ns3::Object
{
  public:
    /// @return the type
    static ns3::TypeId GetTypeId();

    /**
     * @param file the interface of a host
     * @param node the host's node
     * @param read called when the interface can be read, with the most packets to take; schedules
     * events with Happen()
     */
    virtual void
    Watch(int file, ns3::Ptr<ns3::Node> node, std::function<void(uint32_t most)> read) = 0;

    /**
     * @param node the number of the node at which it happens
     * @param event an event that happens now, at the kernel's time
     */
    virtual void Happen(uint32_t node, std::function<void()> event) = 0;

    /**
     * Note that a host got something to do from the simulation.
     *
     * @param file the host's interface
     * @param packets how many packets it has probably sent because of that
     */
    virtual void Touch(int file, uint32_t packets) = 0;

    /**
     * @return a number that is the same as before only if no host's state can have changed since
     */
    virtual uint64_t Changes() = 0;

    /// Do not wait for the remaining events, which ns-3 only removes.
    virtual void End() = 0;

    /**
     * Check whether the simulation was in time.
     *
     * @throws TryAgain it was too late
     */
    virtual void Check() = 0;

    /**
     * @param json the writer, which receives members of an object
     */
    virtual void Write(JsonWriter& json) = 0;

    /// @return the name of the record of this kind of time
    virtual const char* Name() const = 0;
};

/// @return the kernel's monotonic clock, in nanoseconds
int64_t ReadClock();

constexpr int64_t NANOSECONDS_PER_S = 1'000'000'000;

} // namespace tcpsweep

#endif // TCPSWEEP_KERNEL_CLOCK_H
