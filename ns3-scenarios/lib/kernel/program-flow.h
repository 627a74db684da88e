// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_PROGRAM_FLOW_H
#define TCPSWEEP_PROGRAM_FLOW_H

#include "flows/flow.h"
#include "kernel/host-program.h"
#include "traces/delivery-trace.h"
#include "traces/output-files.h"
#include "traces/send-trace.h"

#include <ns3/address.h>
#include <ns3/packet.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tcpsweep
{

/**
 * A flow between programs at two hosts of the kernel. All TCP segments and UDP datagrams that one
 * of these hosts sends to the other are the flow's, in any number of connections. Its received
 * payload is the payload that reached the receiver's host for the first time.
 */
class ProgramFlow : public Flow
{
  public:
    /// The programs at its hosts; nullptr where there is none.
    struct Ends
    {
        std::shared_ptr<HostProgram> sender;   //!< at the sender
        std::shared_ptr<HostProgram> receiver; //!< at the receiver, which starts first
    };

    /**
     * @param parameters its parameters
     * @param files the files for traces
     * @param programs its programs
     */
    ProgramFlow(const Parameters& parameters, OutputFiles& files, Ends programs);

    std::string
    Stack() const override
    {
        return "linux";
    }

    std::vector<std::string> Unavailable() const override;
    void WriteMore(JsonWriter& json) const override;

  private:
    /// Start the programs.
    void Start();

    /// Ask the programs to end, and end them a second later.
    void Leave();

    /**
     * Tag the packets from one host to the other.
     *
     * @param from the host
     * @param to the other host
     * @param flow the number in the tag
     */
    void Tag(ns3::Ptr<ns3::Node> from, ns3::Ptr<ns3::Node> to, int32_t flow);

    /**
     * @param protocol a packet's protocol
     * @param packet the packet, a segment or datagram that leaves the sender
     */
    void Sent(uint8_t protocol, const ns3::Ptr<const ns3::Packet>& packet);

    Ends m_programs;                              //!< its programs
    std::optional<SendTrace> m_sendTrace;         //!< traces the packets of its sender
    std::optional<DeliveryTrace> m_deliveryTrace; //!< follows its packets' arrival
    TraceSeries* m_receivedRows;                  //!< received payload
};

} // namespace tcpsweep

#endif // TCPSWEEP_PROGRAM_FLOW_H
