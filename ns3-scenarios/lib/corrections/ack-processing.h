// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_ACK_PROCESSING_H
#define TCPSWEEP_ACK_PROCESSING_H

#include <ns3/tcp-socket-base.h>

namespace tcpsweep
{

/// The type of ns3::TcpSocketBase::ProcessAck(), whose parameters differ between versions.
struct AckProcessingType : ns3::TcpSocketBase
{
    /// the type
    using Type = decltype(&AckProcessingType::ProcessAck);
};

template <typename Type>
class AckProcessingBase;

/**
 * A socket that takes part when ns-3 processes an ACK, which has already changed the scoreboard.
 *
 * @tparam Rest the parameters of ns3::TcpSocketBase::ProcessAck() that only newer versions have
 */
template <typename... Rest>
class AckProcessingBase<void (ns3::TcpSocketBase::*)(const ns3::SequenceNumber32&,
                                                     bool,
                                                     uint32_t,
                                                     const ns3::SequenceNumber32&,
                                                     Rest...)> : public ns3::TcpSocketBase
{
  protected:
    /// Called before.
    virtual void BeforeAck() = 0;
    /**
     * Called after.
     *
     * @param isAdvancing whether the ACK is the first with its number
     * @param deliveredBytes bytes that the ACK says have arrived, and no earlier one did
     */
    virtual void AfterAck(bool isAdvancing, uint32_t deliveredBytes) = 0;

    /**
     * @param acked the byte after the last with a cumulative ACK
     * @param before the same before this ACK, and less
     * @param deliveredBytes bytes that the ACK says have arrived, and no earlier one did
     * @return the first byte for which the ACK makes the window grow
     */
    virtual ns3::SequenceNumber32 GrowsFrom(ns3::SequenceNumber32 acked,
                                            ns3::SequenceNumber32 before,
                                            uint32_t deliveredBytes) const = 0;

  private:
    void
    ProcessAck(const ns3::SequenceNumber32& acked,
               bool isNewSack,
               uint32_t deliveredBytes,
               const ns3::SequenceNumber32& before,
               Rest... rest) override
    {
        BeforeAck();
        const auto from = acked > before ? GrowsFrom(acked, before, deliveredBytes) : before;
        TcpSocketBase::ProcessAck(acked, isNewSack, deliveredBytes, from, rest...);
        AfterAck(acked > before, deliveredBytes);
    }
};

/// This base for the present version of ns-3.
using AckProcessing = AckProcessingBase<AckProcessingType::Type>;

} // namespace tcpsweep

#endif // TCPSWEEP_ACK_PROCESSING_H
