// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_KERNEL_HOSTS_H
#define TCPSWEEP_KERNEL_HOSTS_H

#include "kernel/file-descriptor.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tcpsweep
{

/// A request for a host of the kernel.
struct HostRequest
{
    uint32_t address{0};         //!< its IPv4 address
    uint32_t mtuBytes{1500};     //!< the largest packet of its link
    uint32_t segmentBytes{1460}; //!< the largest payload of programs' segments, with TCP's options
    uint32_t streams{0};         //!< the number of its TCP sockets
    std::optional<uint32_t> bufferBytes; //!< size of sockets' buffers; nothing for the kernel's own
    std::string control; //!< the congestion control of its programs; empty if it has no programs
};

/// The settings of the kernel's TCP that differ from its defaults.
struct KernelSettings
{
    bool ecn{false};                     //!< whether it uses ECN
    bool sack{true};                     //!< whether it uses SACK
    bool timestamps{true};               //!< whether it uses timestamps
    bool windowScaling{true};            //!< whether it scales windows
    std::optional<uint32_t> initialCwnd; //!< first window in segments; nothing for the kernel's own
    /// the user's sysctls and their values, which come last
    std::vector<std::pair<std::string, std::string>> sysctls;
};

/// A host of the kernel: a network namespace that exists while these files are open.
struct HostFiles
{
    FileDescriptor tun;                  //!< its interface
    FileDescriptor network;              //!< its namespace, if it has programs
    std::vector<FileDescriptor> streams; //!< its sockets of TCP
};

/// The hosts of the kernel.
struct KernelHosts
{
    std::vector<HostFiles> hosts;                //!< their files, in the order of the requests
    std::map<std::string, std::string> settings; //!< sysctls in force there, and the release
};

/**
 * Make hosts of the kernel, each in its own network namespace, within one new user namespace. A
 * child process makes the hosts, passes on their files and ends. Call it before there are threads.
 *
 * @param requests the hosts
 * @param settings the settings that differ from the kernel's defaults
 * @return the hosts
 * @throws std::runtime_error says what the kernel does not allow
 */
KernelHosts
MakeKernelHosts(const std::vector<HostRequest>& requests, const KernelSettings& settings);

/// @return the kernel's release
std::string KernelRelease();

} // namespace tcpsweep

#endif // TCPSWEEP_KERNEL_HOSTS_H
