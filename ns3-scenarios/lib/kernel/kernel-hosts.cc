// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/kernel-hosts.h"

#include "kernel/interface-setup.h"
#include "options/text.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace tcpsweep
{

namespace
{

const std::filesystem::path SYSCTLS = "/proc/sys";
/// The most files that one message may carry: SCM_MAX_FD.
constexpr std::size_t MOST_FILES = 253;
/// The first bytes of a message with an error, and of a message with settings.
constexpr char FAILED = '!';
constexpr char SETTINGS = '=';
constexpr char FILES = '#';

/**
 * @param name a sysctl, with slashes
 * @param value its new value; ignored if the kernel has no such sysctl
 * @throws std::system_error
 */
void
SetSysctl(const std::string& name, const std::string& value)
{
    const auto path = SYSCTLS / name;
    if (!std::filesystem::exists(path))
    {
        return;
    }
    const FileDescriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file || write(file.Get(), value.data(), value.size()) < 0)
    {
        throw std::system_error(errno, std::generic_category(), "setting " + name);
    }
}

/**
 * @param path a file
 * @param text the text to write
 * @throws std::system_error
 */
void
WriteTo(const std::string& path, const std::string& text)
{
    const FileDescriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file || write(file.Get(), text.data(), text.size()) < 0)
    {
        throw std::system_error(errno, std::generic_category(), "writing " + path);
    }
}

/// Enter a network namespace of this process's own, in a user namespace that may set it up.
void
EnterNamespaces()
{
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
    {
        throw std::system_error(errno, std::generic_category(), "making a user namespace");
    }
    WriteTo("/proc/self/setgroups", "deny");
    WriteTo("/proc/self/uid_map", "0 0 1");
    WriteTo("/proc/self/gid_map", "0 0 1");
}

/**
 * @param settings what this network namespace gets
 * @param request its host
 */
void
ApplySettings(const KernelSettings& settings, const HostRequest& request)
{
    const auto& bufferBytes = request.bufferBytes;
    const auto flag = [](bool is)
    {
        return std::string(is ? "1" : "0");
    };
    // IPv6 is not needed, and its packets would be counted.
    SetSysctl("net/ipv6/conf/default/disable_ipv6", "1");
    SetSysctl("net/ipv4/tcp_no_metrics_save", "1");
    SetSysctl("net/ipv4/tcp_ecn", flag(settings.ecn));
    SetSysctl("net/ipv4/tcp_sack", flag(settings.sack));
    SetSysctl("net/ipv4/tcp_timestamps", flag(settings.timestamps));
    SetSysctl("net/ipv4/tcp_window_scaling", flag(settings.windowScaling));
    if (bufferBytes)
    {
        // The kernel also counts its own structures, at most the same amount again.
        const auto bytes = std::to_string(2 * uint64_t{*bufferBytes});
        SetSysctl("net/ipv4/tcp_rmem", "4096 " + bytes + " " + bytes);
        SetSysctl("net/ipv4/tcp_wmem", "4096 " + bytes + " " + bytes);
    }
    if (!request.control.empty())
    {
        SetSysctl("net/ipv4/tcp_congestion_control", request.control);
        // The ports above are those of other flows.
        SetSysctl("net/ipv4/ip_local_port_range", "32768 49152");
    }
    for (auto [name, value] : settings.sysctls)
    {
        std::replace(name.begin(), name.end(), '.', '/');
        if (!std::filesystem::exists(SYSCTLS / name))
        {
            throw std::runtime_error("the kernel has no sysctl " + name);
        }
        SetSysctl(name, value);
    }
}

/**
 * @return ticks of the kernel's timers in a second, CONFIG_HZ: the coarse clock moves once a tick,
 * see clock_getres(2)
 */
long
TicksPerSecond()
{
    timespec tick{};
    clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
    return tick.tv_nsec > 0 ? std::lround(1e9 / static_cast<double>(tick.tv_nsec)) : 0;
}

/// @return the sysctls of TCP and the queue discipline in force here, and the kernel's ticks
std::string
ReadSettings()
{
    std::ostringstream lines;
    const auto add = [&lines](const std::filesystem::path& path, const std::string& name)
    {
        std::ifstream file(path);
        std::string value;
        if (std::getline(file, value) && name.find("key") == std::string::npos)
        {
            std::replace(value.begin(), value.end(), '\t', ' ');
            lines << name << ' ' << value << '\n';
        }
    };
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(SYSCTLS / "net/ipv4", error))
    {
        const auto name = entry.path().filename().string();
        if (name.rfind("tcp_", 0) == 0)
        {
            add(entry.path(), "net.ipv4." + name);
        }
    }
    lines << "queue_discipline " << QueueDiscipline() << '\n';
    lines << "CONFIG_HZ " << TicksPerSecond() << '\n';
    return lines.str();
}

/**
 * @param channel the channel to send it to
 * @param kind its kind
 * @param text the rest of the message
 * @param files the files to pass on with it
 */
void
Hand(int channel, char kind, const std::string& text, const std::vector<int>& files)
{
    std::string data = kind + text;
    iovec part{data.data(), data.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    std::vector<char> control(CMSG_SPACE(files.size() * sizeof(int)));
    if (!files.empty())
    {
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        auto* header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(files.size() * sizeof(int));
        std::memcpy(CMSG_DATA(header), files.data(), files.size() * sizeof(int));
    }
    if (sendmsg(channel, &message, MSG_NOSIGNAL) < 0)
    {
        throw std::system_error(errno, std::generic_category(), "handing a host over");
    }
}

/// @return a socket of TCP
FileDescriptor
MakeSocket()
{
    FileDescriptor made(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!made)
    {
        throw std::system_error(errno, std::generic_category(), "making a socket");
    }
    return made;
}

/**
 * The main function of the child process.
 *
 * @param channel the channel to which it passes the hosts
 * @param requests the hosts
 * @param settings their settings
 */
void
MakeAll(int channel, const std::vector<HostRequest>& requests, const KernelSettings& settings)
{
    EnterNamespaces();
    bool isFirst = true;
    for (const auto& request : requests)
    {
        if (!isFirst && unshare(CLONE_NEWNET) != 0)
        {
            throw std::system_error(errno,
                                    std::generic_category(),
                                    "making a network namespace for each host");
        }
        ApplySettings(settings, request);
        const bool hasPrograms = !request.control.empty();
        const auto tun =
            MakeInterface(request.address,
                          request.mtuBytes,
                          {settings.initialCwnd,
                           hasPrograms ? std::optional(request.segmentBytes) : std::nullopt});
        std::vector<FileDescriptor> sockets;
        for (uint32_t i = 0; i < request.streams; ++i)
        {
            sockets.push_back(MakeSocket());
        }
        std::vector<int> files = {tun.Get()};
        for (const auto& each : sockets)
        {
            files.push_back(each.Get());
        }
        const FileDescriptor network(hasPrograms ? open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC)
                                                 : -1);
        if (hasPrograms)
        {
            files.push_back(network.Get());
        }
        if (isFirst)
        {
            Hand(channel, SETTINGS, ReadSettings(), {});
        }
        Hand(channel, FILES, "", files);
        isFirst = false;
    }
}

/**
 * @param channel the channel to receive from
 * @param[out] files the files that arrived with the message
 * @return its text; empty if there are no more
 */
std::string
Receive(int channel, std::vector<FileDescriptor>& files)
{
    std::string data(1 << 16, '\0');
    iovec part{data.data(), data.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    std::vector<char> control(CMSG_SPACE(MOST_FILES * sizeof(int)));
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const auto size = recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
    for (auto* header = CMSG_FIRSTHDR(&message); size > 0 && header;
         header = CMSG_NXTHDR(&message, header))
    {
        const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        std::vector<int> numbers(count);
        std::memcpy(numbers.data(), CMSG_DATA(header), count * sizeof(int));
        for (const int number : numbers)
        {
            files.emplace_back(number);
        }
    }
    data.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return data;
}

/// Raise the limit on open files of this process to the permitted maximum.
void
RaiseFileLimit()
{
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
    {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

} // namespace

std::string
KernelRelease()
{
    utsname name{};
    uname(&name);
    return name.release;
}

KernelHosts
MakeKernelHosts(const std::vector<HostRequest>& requests, const KernelSettings& settings)
{
    RaiseFileLimit();
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    {
        throw std::system_error(errno, std::generic_category(), "making a socket pair");
    }
    FileDescriptor here(ends[0]);
    FileDescriptor there(ends[1]);
    const auto parent = getpid();
    const auto child = fork();
    if (child == 0)
    {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() == parent)
        {
            try
            {
                MakeAll(there.Get(), requests, settings);
            }
            catch (const std::exception& error)
            {
                const std::string text = std::string(1, FAILED) + error.what();
                send(there.Get(), text.data(), text.size(), MSG_NOSIGNAL);
            }
        }
        _exit(0);
    }
    there.Close();
    KernelHosts made;
    made.settings["kernel.osrelease"] = KernelRelease();
    std::string failure = child < 0 ? std::strerror(errno) : "";
    while (child > 0)
    {
        std::vector<FileDescriptor> files;
        const auto text = Receive(here.Get(), files);
        if (text.empty())
        {
            break;
        }
        if (text[0] == FAILED)
        {
            failure = text.substr(1);
        }
        else if (text[0] == SETTINGS)
        {
            std::istringstream lines(text.substr(1));
            for (std::string name, value; lines >> name && std::getline(lines, value);)
            {
                made.settings[name] = value.substr(std::min<std::size_t>(1, value.size()));
            }
        }
        else if (made.hosts.size() < requests.size())
        {
            const auto& request = requests[made.hosts.size()];
            const std::size_t networks = request.control.empty() ? 0 : 1;
            if (files.size() != 1 + request.streams + networks)
            {
                failure = "the limit of open files (ulimit -n) is too low";
                break;
            }
            HostFiles host;
            host.tun = std::move(files[0]);
            if (networks)
            {
                host.network = std::move(files.back());
                files.pop_back();
            }
            for (std::size_t i = 1; i < files.size(); ++i)
            {
                host.streams.push_back(std::move(files[i]));
            }
            made.hosts.push_back(std::move(host));
        }
    }
    here.Close();
    if (child > 0)
    {
        waitpid(child, nullptr, 0);
    }
    if (!failure.empty() || made.hosts.size() != requests.size())
    {
        throw std::runtime_error("--stack=linux: this kernel cannot run hosts: " +
                                 (failure.empty() ? "the process that makes them ended" : failure));
    }
    return made;
}

} // namespace tcpsweep
