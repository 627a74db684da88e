// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/kernel-flow.h"

#include "flows/kernel-variants.h"
#include "network/internet.h"

#include <ns3/ipv4-address.h>
#include <ns3/ipv4.h>
#include <ns3/sequence-number.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <cstddef>
#include <limits>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <system_error>
#include <utility>
#include <vector>

namespace tcpsweep
{

namespace
{

/// The bytes of one write; their content does not matter.
constexpr std::size_t CHUNK_BYTES = 1 << 16;
/// With so many segments that wait to be sent, and half a window of them, TCP does not run out
/// before the next acknowledgment.
constexpr uint32_t LEAST_SEGMENTS = 16;
/// The offsets of the sequence number and the length in TCP's header (RFC 9293, 3.1).
constexpr std::size_t SEQUENCE = 4;
constexpr std::size_t OFFSET = 12;
constexpr std::size_t LEAST_HEADER_BYTES = 20;

/**
 * @param failed whether a call failed
 * @param what the purpose of the call
 * @throws std::system_error
 */
void
ThrowIfKernel(bool failed, const std::string& what)
{
    if (failed)
    {
        throw std::system_error(errno, std::generic_category(), what);
    }
}

/**
 * @param node a node
 * @param port a port
 * @return its address and the port, in the kernel's form
 */
sockaddr_in
KernelAddress(ns3::Ptr<ns3::Node> node, uint16_t port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(ns3::Ipv4Address::ConvertFrom(AddressOf(node)).Get());
    return address;
}

/**
 * @param segment a segment of TCP
 * @return the bytes of its payload
 */
uint32_t
PayloadOf(const KernelGate::Segment& segment)
{
    const std::size_t header = segment.size() > OFFSET ? 4U * (segment[OFFSET] >> 4) : 0;
    return static_cast<uint32_t>(segment.size() - std::min(header, segment.size()));
}

} // namespace

KernelFlow::KernelFlow(const Parameters& parameters,
                       uint32_t optionBytes,
                       OutputFiles& files,
                       FlowHost sender,
                       FlowHost receiver)
    : Flow(parameters),
      m_optionBytes(optionBytes),
      m_sender(std::move(sender)),
      m_receiver(std::move(receiver)),
      m_tagger(parameters.ends.sender, parameters.sourcePort, parameters.index),
      m_sendTrace(files, parameters.index, parameters.ends.sender),
      m_kernelTrace(files, parameters.index, parameters.bytes),
      m_deliveryTrace(files, parameters.index, parameters.ends.receiver),
      m_receivedRows(files.Trace("received_bytes"))
{
    CountPackets();
    CountArrivals(m_deliveryTrace, m_receivedRows);
    SetUp(m_receiver.socket.Get(), parameters.ends.receiver, parameters.destinationPort);
    ThrowIfKernel(listen(m_receiver.socket.Get(), 1) != 0, "listening");
    SetUp(m_sender.socket.Get(), parameters.ends.sender, parameters.sourcePort);
    m_sender.gate->Visit(
        parameters.sourcePort,
        {[this](const auto& segment) { Sent(segment); }, [this](const auto&) { Acknowledged(); }});
    m_receiver.gate->Visit(parameters.destinationPort,
                           {[](const auto&) {}, [this](const auto&) { Receive(); }});
    if (parameters.NeverBegins())
    {
        return;
    }
    ns3::Simulator::Schedule(parameters.start, &KernelFlow::Start, this);
    if (parameters.stop.IsStrictlyPositive())
    {
        ns3::Simulator::Schedule(parameters.stop, &KernelFlow::Leave, this);
    }
}

void
KernelFlow::SetUp(int socket, ns3::Ptr<ns3::Node> node, uint16_t port) const
{
    const auto name = KernelNameOf(m_parameters.variant);
    if (setsockopt(socket,
                   IPPROTO_TCP,
                   TCP_CONGESTION,
                   name.data(),
                   static_cast<socklen_t>(name.size())) != 0)
    {
        throw std::system_error(errno,
                                std::generic_category(),
                                "this kernel's congestion control " + name);
    }
    const int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    // The kernel subtracts the options from the agreed size.
    const int segment = static_cast<int>(m_parameters.segmentBytes + m_optionBytes);
    ThrowIfKernel(setsockopt(socket, IPPROTO_TCP, TCP_MAXSEG, &segment, sizeof segment) != 0,
                  "a segment of " + std::to_string(m_parameters.segmentBytes) + " bytes");
    const auto address = KernelAddress(node, port);
    ThrowIfKernel(bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0,
                  "binding a socket");
}

void
KernelFlow::Start()
{
    const auto to = KernelAddress(m_parameters.ends.receiver, m_parameters.destinationPort);
    const int failed =
        connect(m_sender.socket.Get(), reinterpret_cast<const sockaddr*>(&to), sizeof to);
    ThrowIfKernel(failed != 0 && errno != EINPROGRESS, "connecting");
    if (m_parameters.packetRate > 0)
    {
        Offer();
    }
}

void
KernelFlow::Offer()
{
    ++m_offered;
    Send();
    if (m_parameters.bytes == 0 || m_offered * m_parameters.segmentBytes < m_parameters.bytes)
    {
        const auto next = m_parameters.start +
                          ns3::Seconds(static_cast<double>(m_offered) / m_parameters.packetRate);
        ns3::Simulator::Schedule(next - ns3::Simulator::Now(), &KernelFlow::Offer, this);
    }
}

bool
KernelFlow::Send()
{
    if (!m_established || m_isOver)
    {
        return false;
    }
    const uint64_t before = m_written;
    static const std::vector<char> chunk(CHUNK_BYTES);
    const uint64_t limit =
        m_parameters.bytes ? m_parameters.bytes : std::numeric_limits<uint64_t>::max();
    const uint64_t until = m_parameters.packetRate > 0
                               ? std::min(limit, m_offered * m_parameters.segmentBytes)
                               : limit;
    while (m_written < until && !HasEnough())
    {
        const auto size = std::min<uint64_t>(until - m_written, CHUNK_BYTES);
        const auto taken =
            send(m_sender.socket.Get(), chunk.data(), static_cast<std::size_t>(size), MSG_NOSIGNAL);
        if (taken <= 0)
        {
            break;
        }
        m_written += static_cast<uint64_t>(taken);
        m_sender.gate->Touch(1);
        if (static_cast<uint64_t>(taken) < size) // its buffer is full
        {
            break;
        }
    }
    if (m_written == limit)
    {
        m_isOver = true;
        shutdown(m_sender.socket.Get(), SHUT_WR);
        m_sender.gate->Touch(1);
        return true;
    }
    return m_written > before;
}

bool
KernelFlow::HasEnough() const
{
    return m_last && m_last->notSentBytes >= LEAST_SEGMENTS * m_last->segmentBytes &&
           2 * uint64_t{m_last->notSentBytes} >= uint64_t{m_last->cwnd} * m_last->segmentBytes;
}

void
KernelFlow::Sent(const KernelGate::Segment& segment)
{
    ++m_segments;
    if (segment.size() >= LEAST_HEADER_BYTES)
    {
        const uint32_t begin = uint32_t{segment[SEQUENCE]} << 24 |
                               uint32_t{segment[SEQUENCE + 1]} << 16 |
                               uint32_t{segment[SEQUENCE + 2]} << 8 | segment[SEQUENCE + 3];
        m_sendTrace.Count(ns3::SequenceNumber32(begin), PayloadOf(segment));
    }
    Look();
}

void
KernelFlow::Acknowledged()
{
    Look();
    if (Send() || m_parameters.packetRate > 0 || m_isOver)
    {
        Look(); // perhaps no later packet shows that there is nothing to send
    }
    if (m_last)
    {
        m_sender.gate->Touch(m_last->segmentsSent - m_segments);
    }
}

void
KernelFlow::Receive()
{
    if (!m_connection)
    {
        m_connection = FileDescriptor(
            accept4(m_receiver.socket.Get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (!m_connection)
        {
            return;
        }
    }
    const uint64_t before = m_received;
    // Count and drop the arrived data without a copy: tcp(7), MSG_TRUNC.
    ssize_t size = 0;
    do
    {
        size = recv(m_connection.Get(), nullptr, CHUNK_BYTES, MSG_TRUNC);
        m_received += static_cast<uint64_t>(std::max<ssize_t>(size, 0));
    } while (size == static_cast<ssize_t>(CHUNK_BYTES));
    if (m_received == before)
    {
        return;
    }
    if (m_parameters.bytes && m_received >= m_parameters.bytes && !m_finish)
    {
        m_finish = ns3::Simulator::Now();
        m_sendTrace.WriteSent();
    }
}

void
KernelFlow::Look()
{
    // Within the same changes, the kernel would say the same.
    const auto changes = m_sender.gate->Changes();
    const auto state =
        m_last && changes == m_changes ? m_last : TcpState::Of(m_sender.socket.Get());
    if (!state)
    {
        return;
    }
    m_changes = changes;
    if (!m_established && state->state == static_cast<uint8_t>(KernelTcp::ESTABLISHED))
    {
        m_established = ns3::Simulator::Now();
    }
    m_last = state;
    if (m_established)
    {
        m_kernelTrace.Follow(*state);
    }
}

void
KernelFlow::Leave()
{
    const auto& sender = m_parameters.ends.sender;
    if (m_parameters.sharesSender)
    {
        m_sender.gate->Silence(m_parameters.sourcePort);
    }
    else
    {
        sender->GetObject<ns3::Ipv4>()->SetDown(FIRST_LINK);
    }
    Look();
    m_isOver = true;
    m_sendTrace.Leave();
    // The kernel would keep retrying.
    m_sender.gate->Visit(m_parameters.sourcePort, {[](const auto&) {}, [](const auto&) {}});
    m_sender.socket.Close();
}

void
KernelFlow::WriteMore(JsonWriter& json) const
{
    json.Key("kernel");
    if (m_last)
    {
        m_last->Write(json);
    }
    else
    {
        json.Null();
    }
}

} // namespace tcpsweep
