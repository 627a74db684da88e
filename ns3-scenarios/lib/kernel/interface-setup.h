// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_INTERFACE_SETUP_H
#define TCPSWEEP_INTERFACE_SETUP_H

#include "kernel/file-descriptor.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tcpsweep
{

/// The name of each host's interface to the simulation, in the host's own namespace.
constexpr auto TUN_NAME = "sim0";

/// What a host's route says about its connections; nothing for the kernel's defaults.
struct RouteMetrics
{
    std::optional<uint32_t> initialCwnd;  //!< initial congestion window, in segments
    std::optional<uint32_t> segmentBytes; //!< the largest segment that both ends send
};

/**
 * Make an interface in this thread's network namespace whose packets pass through a file. Packets
 * that the kernel sends are read from the file, and packets written to the file are received by the
 * kernel. The interface is the kernel's default route. Segments have the same size as in the
 * simulation, because the kernel does not use segmentation offload.
 *
 * @param address the host's address
 * @param mtu the largest packet's bytes
 * @param metrics what its route says
 * @return the file
 * @throws std::system_error
 */
FileDescriptor MakeInterface(uint32_t address, uint32_t mtu, const RouteMetrics& metrics);

/**
 * @return the kind of that interface's root queue discipline, such as pfifo_fast; empty if the
 * kernel reports none
 * @throws std::system_error
 */
std::string QueueDiscipline();

} // namespace tcpsweep

#endif // TCPSWEEP_INTERFACE_SETUP_H
