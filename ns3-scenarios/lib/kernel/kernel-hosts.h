// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_KERNEL_HOSTS_H
#define TCPSWEEP_KERNEL_HOSTS_H

#include "kernel/file-descriptor.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tcpsweep
{

/// A host that the kernel is to be.
struct HostRequest
{
    uint32_t address{0};                 //!< its IPv4 address
    uint32_t streams{0};                 //!< how many sockets of TCP it has
    uint32_t datagrams{0};               //!< how many sockets of UDP it has
    std::optional<uint32_t> bufferBytes; //!< size of sockets' buffers; nothing for the kernel's own
};

/// What the kernel's TCP has other than by itself.
struct KernelSettings
{
    bool ecn{false};                     //!< whether it uses ECN
    bool sack{true};                     //!< whether it uses SACK
    bool timestamps{true};               //!< whether it uses timestamps
    bool windowScaling{true};            //!< whether it scales windows
    std::optional<uint32_t> initialCwnd; //!< first window in segments; nothing for the kernel's own
    uint32_t mtuBytes{1500};             //!< the largest packet
};

/// A host that the kernel is: a network namespace that lasts as long as these files are open.
struct HostFiles
{
    FileDescriptor tun;                    //!< its interface
    std::vector<FileDescriptor> streams;   //!< its sockets of TCP
    std::vector<FileDescriptor> datagrams; //!< its sockets of UDP
};

/// Hosts that the kernel is.
struct KernelHosts
{
    std::vector<HostFiles> hosts;                //!< their files, in the order of the requests
    std::map<std::string, std::string> settings; //!< sysctls in force there, and the release
};

/**
 * Make hosts that are the kernel's, each a network namespace of a user namespace of its own, for
 * which no rights are needed but to open /dev/net/tun. A child process makes them, hands over
 * their files and ends: a namespace and its interface are gone as soon as nobody has these open,
 * however this process ends. Call it before there are threads.
 *
 * @param requests the hosts
 * @param settings what they have other than by themselves
 * @return the hosts
 * @throws std::runtime_error says what this machine does not allow
 */
KernelHosts
MakeKernelHosts(const std::vector<HostRequest>& requests, const KernelSettings& settings);

/// @return the kernel's release
std::string KernelRelease();

} // namespace tcpsweep

#endif // TCPSWEEP_KERNEL_HOSTS_H
