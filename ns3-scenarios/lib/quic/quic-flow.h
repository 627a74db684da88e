// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_QUIC_FLOW_H
#define TCPSWEEP_QUIC_FLOW_H

#include "flows/flow.h"
#include "quic/quic-end.h"
#include "quic/quic-stacks.h"
#include "quic/quic-trace.h"
#include "traces/delivery-trace.h"
#include "traces/output-files.h"
#include "traces/send-trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tcpsweep
{

/// A flow in the only stream of a QUIC connection, over UDP, with the same traces as TCP's flows.
class QuicFlow : public Flow
{
  public:
    /**
     * @param parameters its parameters
     * @param stacks the simulation's stacks
     * @param ecn whether its packets may be marked
     * @param files the files for traces
     */
    QuicFlow(const Parameters& parameters, const QuicStacks& stacks, bool ecn, OutputFiles& files);

    std::string
    Stack() const override
    {
        return "quic";
    }

    std::vector<std::string>
    Unavailable() const override
    {
        return QuicTrace::Unavailable();
    }

    void WriteMore(JsonWriter& json) const override;

  private:
    /**
     * @param stacks the simulation's stacks
     * @param ecn as in QuicFlow()
     * @param isServer whether it is the receiver
     * @return the parameters of an end
     */
    QuicEnd::Parameters EndOf(const QuicStacks& stacks, bool ecn, bool isServer) const;

    /// Open both ends.
    void Start();

    /// Offer one more packet, and schedule the next.
    void Offer();

    /// Offer data to the sender's end, and write its state.
    void Send();

    /// @param bytes the payload of a datagram that the sender's end sends
    void Sent(uint32_t bytes);

    /// Take the data that have arrived.
    void Receive();

    /// Send nothing any more.
    void Leave();

    SendTrace m_sendTrace;         //!< follows its sent packets
    DeliveryTrace m_deliveryTrace; //!< follows its packets' arrival
    QuicTrace m_trace;             //!< follows its sender's state
    TraceSeries* m_receivedRows;   //!< received payload
    QuicEnd m_sender;              //!< the end that sends the data
    QuicEnd m_receiver;            //!< the other end
    uint64_t m_offered{0};         //!< packets that the application has offered
    uint64_t m_written{0};         //!< payload that the stack has taken
    bool m_isDone{false};          //!< whether it has taken all
};

} // namespace tcpsweep

#endif // TCPSWEEP_QUIC_FLOW_H
