// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/interface-setup.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <system_error>
#include <utility>
#include <vector>

namespace tcpsweep
{

namespace
{

const char* const LOOPBACK = "lo";
/// The queue length of a host's interface, in packets: the maximum of kernels before 6.18, and more
/// than any window.
constexpr uint32_t QUEUE_PACKETS = 32767;

/**
 * @param failed whether a call failed
 * @param what the purpose of the call
 * @throws std::system_error
 */
void
ThrowIf(bool failed, const std::string& what)
{
    if (failed)
    {
        throw std::system_error(errno, std::generic_category(), what);
    }
}

/// A message to the kernel's routing (rtnetlink(7)).
class Request
{
  public:
    /**
     * @param type its type
     * @param body the bytes after its header
     */
    template <typename Body>
    Request(uint16_t type, const Body& body)
        : m_data(NLMSG_HDRLEN)
    {
        auto* header = Header();
        header->nlmsg_type = type;
        header->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
        if (type != RTM_NEWLINK)
        {
            header->nlmsg_flags |= NLM_F_CREATE;
        }
        Append(&body, sizeof body);
    }

    /**
     * @param type an attribute's type
     * @param data its value
     * @param size the value's bytes
     */
    void
    Add(uint16_t type, const void* data, std::size_t size)
    {
        const rtattr attribute{static_cast<uint16_t>(RTA_LENGTH(size)), type};
        Append(&attribute, sizeof attribute);
        Append(data, size);
    }

    /**
     * @param type an attribute's type
     * @param value its value
     */
    void
    Add(uint16_t type, uint32_t value)
    {
        Add(type, &value, sizeof value);
    }

    /**
     * Send the message, and wait until it is processed.
     *
     * @param what its purpose
     * @throws std::system_error
     */
    void
    Send(const std::string& what)
    {
        Header()->nlmsg_len = static_cast<uint32_t>(m_data.size());
        const FileDescriptor netlink(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
        ThrowIf(!netlink, what);
        ThrowIf(send(netlink.Get(), m_data.data(), m_data.size(), 0) < 0, what);
        alignas(nlmsghdr) char answer[4096];
        const auto size = recv(netlink.Get(), answer, sizeof answer, 0);
        ThrowIf(size < 0, what);
        nlmsghdr header{};
        nlmsgerr error{};
        std::memcpy(&header, answer, sizeof header);
        std::memcpy(&error, answer + NLMSG_HDRLEN, sizeof error);
        errno = header.nlmsg_type == NLMSG_ERROR ? -error.error : EPROTO;
        ThrowIf(errno != 0, what);
    }

  private:
    /// @return its header
    nlmsghdr*
    Header()
    {
        return reinterpret_cast<nlmsghdr*>(m_data.data());
    }

    /**
     * @param data the bytes to append
     * @param size their number; zeros fill them up to a multiple of four
     */
    void
    Append(const void* data, std::size_t size)
    {
        const auto* bytes = static_cast<const char*>(data);
        m_data.insert(m_data.end(), bytes, bytes + size);
        m_data.resize(NLMSG_ALIGN(m_data.size()));
    }

    std::vector<char> m_data; //!< the message
};

/**
 * @param index an interface's index
 * @param mtu its MTU; 0 to leave it
 */
void
BringUp(unsigned index, uint32_t mtu)
{
    ifinfomsg link{};
    link.ifi_index = static_cast<int>(index);
    link.ifi_flags = IFF_UP;
    link.ifi_change = IFF_UP;
    Request request(RTM_NEWLINK, link);
    if (mtu)
    {
        request.Add(IFLA_MTU, mtu);
        // One segment in each packet: not even the kernel's own splitting sees a larger segment.
        request.Add(IFLA_GSO_MAX_SEGS, 1);
        // A burst of a whole window waits until the simulator reads it, without drops.
        request.Add(IFLA_TXQLEN, QUEUE_PACKETS);
    }
    request.Send("bringing an interface up");
}

} // namespace

FileDescriptor
MakeInterface(uint32_t address, uint32_t mtu, const RouteMetrics& metrics)
{
    FileDescriptor tun(open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC));
    ThrowIf(!tun, "opening /dev/net/tun");
    ifreq request{};
    std::strncpy(request.ifr_name, TUN_NAME, IFNAMSIZ - 1);
    request.ifr_flags = IFF_TUN | IFF_NO_PI;
    ThrowIf(ioctl(tun.Get(), TUNSETIFF, &request) < 0, "making an interface at /dev/net/tun");
    const auto index = if_nametoindex(TUN_NAME);
    BringUp(if_nametoindex(LOOPBACK), 0);
    BringUp(index, mtu);

    const uint32_t inOrder = htonl(address);
    ifaddrmsg own{};
    own.ifa_family = AF_INET;
    own.ifa_prefixlen = 32;
    own.ifa_index = index;
    Request addressing(RTM_NEWADDR, own);
    addressing.Add(IFA_LOCAL, inOrder);
    addressing.Add(IFA_ADDRESS, inOrder);
    addressing.Send("giving an interface its address");

    rtmsg route{};
    route.rtm_family = AF_INET;
    route.rtm_table = RT_TABLE_MAIN;
    route.rtm_protocol = RTPROT_STATIC;
    route.rtm_scope = RT_SCOPE_LINK;
    route.rtm_type = RTN_UNICAST;
    Request routing(RTM_NEWROUTE, route);
    routing.Add(RTA_OIF, index);
    std::vector<char> nested;
    for (const auto& [type, value] : {std::pair(RTAX_INITCWND, metrics.initialCwnd),
                                      std::pair(RTAX_ADVMSS, metrics.segmentBytes)})
    {
        if (value)
        {
            const rtattr metric{static_cast<uint16_t>(RTA_LENGTH(sizeof *value)),
                                static_cast<uint16_t>(type)};
            const auto* header = reinterpret_cast<const char*>(&metric);
            const auto* content = reinterpret_cast<const char*>(&*value);
            nested.insert(nested.end(), header, header + sizeof metric);
            nested.insert(nested.end(), content, content + sizeof *value);
        }
    }
    if (!nested.empty())
    {
        routing.Add(RTA_METRICS, nested.data(), nested.size());
    }
    routing.Send("setting a route");
    return tun;
}

std::string
QueueDiscipline()
{
    const std::string what = "asking for an interface's queue discipline";
    const auto index = static_cast<int>(if_nametoindex(TUN_NAME));

    struct
    {
        nlmsghdr header;
        tcmsg body;
    } request{};

    request.header.nlmsg_len = sizeof request;
    request.header.nlmsg_type = RTM_GETQDISC;
    request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    const FileDescriptor netlink(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
    ThrowIf(!netlink, what);
    ThrowIf(send(netlink.Get(), &request, sizeof request, 0) < 0, what);
    alignas(nlmsghdr) char answer[1 << 15];
    auto left = recv(netlink.Get(), answer, sizeof answer, 0);
    ThrowIf(left < 0, what);
    for (auto* header = reinterpret_cast<nlmsghdr*>(answer);
         NLMSG_OK(header, left) && header->nlmsg_type == RTM_NEWQDISC;
         header = NLMSG_NEXT(header, left))
    {
        auto* body = static_cast<tcmsg*>(NLMSG_DATA(header));
        if (body->tcm_ifindex != index || body->tcm_parent != TC_H_ROOT)
        {
            continue;
        }
        int size = NLMSG_PAYLOAD(header, sizeof *body);
        for (auto* each = reinterpret_cast<rtattr*>(reinterpret_cast<char*>(body) +
                                                    NLMSG_ALIGN(sizeof *body));
             RTA_OK(each, size);
             each = RTA_NEXT(each, size))
        {
            if (each->rta_type == TCA_KIND)
            {
                return static_cast<const char*>(RTA_DATA(each));
            }
        }
    }
    return "";
}

} // namespace tcpsweep
