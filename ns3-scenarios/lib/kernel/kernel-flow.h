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

namespace tcpsweep
{

/// A host of a flow.
struct FlowHost
{
    ns3::Ptr<KernelGate> gate; //!< where it meets the network
    FileDescriptor socket;     //!< a socket of its TCP, which does nothing yet
};

/**
 * A TCP flow between sockets of the kernel's, with the traces of one between sockets of ns-3.
 *
 * Its applications act when a packet has come: the kernel has then taken what it says, so that what
 * was received is read, and what has room again is written, at the packet's own time.
 */
class KernelFlow : public Flow
{
  public:
    /**
     * @param parameters its parameters
     * @param optionBytes bytes of options in the header of each segment
     * @param files where traces go
     * @param sender its sender's host
     * @param receiver its receiver's
     * @throws std::system_error
     */
    KernelFlow(const Parameters& parameters,
               uint32_t optionBytes,
               OutputFiles& files,
               FlowHost sender,
               FlowHost receiver);

    bool
    IsOfKernel() const override
    {
        return true;
    }

    void WriteMore(JsonWriter& json) const override;

  private:
    /**
     * @param socket a socket of the kernel's
     * @param address the node whose address it gets
     * @param port its port
     */
    void SetUp(int socket, ns3::Ptr<ns3::Node> node, uint16_t port) const;

    /// Connect, and offer the first data.
    void Start();

    /// Offer one more packet to TCP, and the others in time.
    void Offer();

    /// Let TCP have what it takes of what is offered.
    void Send();

    /// @param segment a segment that leaves the sender
    void Sent(const KernelGate::Segment& segment);

    /// Do what an acknowledgment allows.
    void Acknowledged();

    /// Read what has arrived.
    void Receive();

    /// Write the state of the sender's connection.
    void Look();

    /// Take the sender off the network.
    void Leave();

    uint32_t m_optionBytes;         //!< of TCP's header in each segment
    FlowHost m_sender;              //!< the sender's host
    FlowHost m_receiver;            //!< the receiver's host, whose socket listens
    FileDescriptor m_connection;    //!< the receiver's connection, once there is one
    FlowTagger m_tagger;            //!< tags its packets
    SendTrace m_sendTrace;          //!< follows what its socket sends
    KernelTrace m_kernelTrace;      //!< follows its socket
    DeliveryTrace m_deliveryTrace;  //!< follows its packets' arrival
    TraceSeries* m_receivedRows;    //!< received payload
    std::optional<TcpState> m_last; //!< the sender's state when it was last looked at
    uint64_t m_offered{0};          //!< packets that the application has offered
    uint64_t m_written{0};          //!< payload that TCP has taken
    bool m_isOver{false};           //!< whether the sender has left or closed
};

} // namespace tcpsweep

#endif // TCPSWEEP_KERNEL_FLOW_H
