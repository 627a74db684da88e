// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_KERNEL_FLOW_H
#define TCPSWEEP_KERNEL_FLOW_H

#include "flows/flow.h"
#include "kernel/file-descriptor.h"
#include "kernel/kernel-gate.h"
#include "kernel/kernel-trace.h"
#include "kernel/tcp-state.h"
#include "traces/delivery-trace.h"
#include "traces/flow-tag.h"
#include "traces/output-files.h"
#include "traces/send-trace.h"

#include <ns3/ptr.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tcpsweep
{

/// A host of a flow.
struct FlowHost
{
    ns3::Ptr<KernelGate> gate; //!< its gate to the network
    FileDescriptor socket;     //!< a socket of its TCP, which does nothing yet
};

/**
 * A TCP flow between sockets of the kernel, with the same traces as a flow between ns-3's sockets.
 *
 * Its applications act after each packet: then the kernel has processed the packet, so that
 * received data are read, and new data are written, at the packet's own time.
 */
class KernelFlow : public Flow
{
  public:
    /**
     * @param parameters its parameters
     * @param optionBytes bytes of options in the header of each segment
     * @param files the files for traces
     * @param sender its sender's host
     * @param receiver its receiver's host
     * @throws std::system_error
     */
    KernelFlow(const Parameters& parameters,
               uint32_t optionBytes,
               OutputFiles& files,
               FlowHost sender,
               FlowHost receiver);

    std::string
    Stack() const override
    {
        return "linux";
    }

    std::vector<std::string>
    Unavailable() const override
    {
        return KernelTrace::Unavailable();
    }

    void WriteMore(JsonWriter& json) const override;

  private:
    /**
     * @param socket a socket of the kernel
     * @param address the node whose address it gets
     * @param port its port
     */
    void SetUp(int socket, ns3::Ptr<ns3::Node> node, uint16_t port) const;

    /// Connect, and offer the first data.
    void Start();

    /// Offer one more packet to TCP, and schedule the next.
    void Offer();

    /**
     * Write the offered bytes as far as TCP accepts them.
     *
     * @return whether it accepted any, or the end
     */
    bool Send();

    /// @return whether TCP has more to send than any window of it can take now
    bool HasEnough() const;

    /// @param segment a segment that leaves the sender
    void Sent(const KernelGate::Segment& segment);

    /// Write the data that an acknowledgment allows.
    void Acknowledged();

    /// Read the data that have arrived.
    void Receive();

    /// Write the state of the sender's connection.
    void Look();

    /// Disconnect the sender from the network.
    void Leave();

    uint32_t m_optionBytes;         //!< of TCP's header in each segment
    FlowHost m_sender;              //!< the sender's host
    FlowHost m_receiver;            //!< the receiver's host, whose socket listens
    FileDescriptor m_connection;    //!< the receiver's connection, when there is one
    FlowTagger m_tagger;            //!< tags its packets
    SendTrace m_sendTrace;          //!< traces the segments of its socket
    KernelTrace m_kernelTrace;      //!< follows its socket
    DeliveryTrace m_deliveryTrace;  //!< follows its packets' arrival
    TraceSeries* m_receivedRows;    //!< received payload
    std::optional<TcpState> m_last; //!< the sender's last state
    uint64_t m_changes{0};          //!< its host's changes then
    uint32_t m_segments{0};         //!< segments that have left its host
    uint64_t m_offered{0};          //!< packets that the application has offered
    uint64_t m_written{0};          //!< payload that TCP has accepted
    bool m_isOver{false};           //!< whether the sender has left or closed
};

} // namespace tcpsweep

#endif // TCPSWEEP_KERNEL_FLOW_H
