// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_INTERFACE_SETUP_H
#define TCPSWEEP_INTERFACE_SETUP_H

#include "kernel/file-descriptor.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tcpsweep
{

/// The name of each host's interface to the simulation, in its own namespace.
constexpr auto TUN_NAME = "sim0";

/**
 * Make an interface of this thread's network namespace whose packets a file hands over: what the
 * kernel sends is read from it, what is written to it the kernel receives. All else that the
 * kernel has to send goes there too. Segments are as large on it as in the simulation: the kernel
 * leaves no joining or splitting to it.
 *
 * @param address the host's address
 * @param mtu the largest packet's bytes
 * @param initialCwnd the first congestion window of its connections, in segments; nothing for the
 * kernel's own
 * @return the file
 * @throws std::system_error
 */
FileDescriptor MakeInterface(uint32_t address, uint32_t mtu, std::optional<uint32_t> initialCwnd);

/**
 * @return the kind of the queue discipline at the root of that interface, as pfifo_fast; empty if
 * the kernel names none
 * @throws std::system_error
 */
std::string QueueDiscipline();

} // namespace tcpsweep

#endif // TCPSWEEP_INTERFACE_SETUP_H
