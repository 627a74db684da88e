// SPDX-License-Identifier: GPL-2.0-only
#include "network/opportunity-device.h"

#include "network/link.h"

#include <ns3/net-device-queue-interface.h>
#include <ns3/point-to-point-channel.h>
#include <ns3/queue.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <utility>

namespace tcpsweep
{

namespace
{

/// A trace source of the plain device.
using PacketSource = ns3::TracedCallback<ns3::Ptr<const ns3::Packet>> ns3::PointToPointNetDevice::*;

/// The events of packets while the plain device sends them.
struct SendSources
{
    PacketSource sniffer;            //!< for captures
    PacketSource promiscuousSniffer; //!< for captures
    PacketSource phyTxBegin;         //!< the transmission begins
    PacketSource phyTxEnd;           //!< the transmission ends
};

// The plain device transmits as soon as it can, and its state is private. There is no other way to
// keep a packet in its queue, and a derived class may not have trace sources of the same names. An
// explicit instantiation may name private members (C++ standard, [temp.spec]).

/// @return the plain device's trace sources
SendSources SourcesOfPlainDevice();

/// @param device a device that must not transmit on its own
void KeepBusy(ns3::PointToPointNetDevice& device);

/**
 * @tparam STATE the plain device's state
 * @tparam BUSY the state in which it puts packets into its queue and leaves them there
 * @tparam SOURCES its trace sources
 */
template <auto STATE, auto BUSY, PacketSource... SOURCES>
struct PlainDevice
{
    friend SendSources
    SourcesOfPlainDevice()
    {
        return {SOURCES...};
    }

    friend void
    KeepBusy(ns3::PointToPointNetDevice& device)
    {
        device.*STATE = BUSY;
    }
};

template struct PlainDevice<&ns3::PointToPointNetDevice::m_txMachineState,
                            ns3::PointToPointNetDevice::BUSY,
                            &ns3::PointToPointNetDevice::m_snifferTrace,
                            &ns3::PointToPointNetDevice::m_promiscSnifferTrace,
                            &ns3::PointToPointNetDevice::m_phyTxBeginTrace,
                            &ns3::PointToPointNetDevice::m_phyTxEndTrace>;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(OpportunityDevice);

ns3::TypeId
OpportunityDevice::GetTypeId()
{
    static const ns3::TypeId tid = ns3::TypeId("tcpsweep::OpportunityDevice")
                                       .SetParent<ns3::PointToPointNetDevice>()
                                       .AddConstructor<OpportunityDevice>();
    return tid;
}

OpportunityDevice::OpportunityDevice()
{
    KeepBusy(*this);
}

void
OpportunityDevice::SetTrace(std::shared_ptr<const OpportunityTrace> trace)
{
    m_trace = std::move(trace);
}

std::shared_ptr<const OpportunityTrace>
OpportunityDevice::GetTrace() const
{
    return m_trace;
}

uint64_t
OpportunityDevice::GetUsedOpportunities() const
{
    return m_used;
}

bool
OpportunityDevice::Send(ns3::Ptr<ns3::Packet> packet,
                        const ns3::Address& dest,
                        uint16_t protocolNumber)
{
    const ns3::Time now = ns3::Simulator::Now();
    if (m_state == State::WAITING && m_trace->TimeOf(m_next) == now)
    {
        m_event.Cancel();
        Serve();
    }
    const bool queued = PointToPointNetDevice::Send(packet, dest, protocolNumber);
    if (queued && m_state == State::IDLE)
    {
        m_next = m_trace->FirstAfter(now);
        Wait();
    }
    return queued;
}

void
OpportunityDevice::Wait()
{
    m_state = State::WAITING;
    m_event = ns3::Simulator::Schedule(m_trace->TimeOf(m_next) - ns3::Simulator::Now(),
                                       &OpportunityDevice::Serve,
                                       this);
}

void
OpportunityDevice::Serve()
{
    const bool refilled = std::exchange(m_state, State::SERVING) == State::REFILL;
    const bool hasDisc = GetObject<ns3::NetDeviceQueueInterface>() != nullptr;
    bool mayRefill = hasDisc && !refilled;
    const ns3::Time now = ns3::Simulator::Now();
    while (m_room > 0 || m_trace->TimeOf(m_next) == now)
    {
        if (m_room == 0)
        {
            ++m_next;
            m_room = OpportunityTrace::OPPORTUNITY_BYTES;
        }
        if (!m_packet && !Begin())
        {
            if (mayRefill)
            {
                // Since ns-3 3.38, the queue disc is notified of the room in a separate event,
                // which comes before this one.
                m_state = State::REFILL;
                m_event = ns3::Simulator::ScheduleNow(&OpportunityDevice::Serve, this);
                return;
            }
            m_room = 0;
            m_next = m_trace->FirstAfter(now);
            break;
        }
        mayRefill = hasDisc;
        Fill();
    }
    m_state = State::IDLE;
    if (m_packet || !GetQueue()->IsEmpty())
    {
        Wait();
    }
}

bool
OpportunityDevice::Begin()
{
    m_packet = GetQueue()->Dequeue();
    if (!m_packet)
    {
        return false;
    }
    m_left = m_packet->GetSize() - PPP_HEADER_BYTES;
    static const SendSources sources = SourcesOfPlainDevice();
    (this->*sources.sniffer)(m_packet);
    (this->*sources.promiscuousSniffer)(m_packet);
    (this->*sources.phyTxBegin)(m_packet);
    return true;
}

void
OpportunityDevice::Fill()
{
    const bool isUnused = m_room == OpportunityTrace::OPPORTUNITY_BYTES;
    m_used += isUnused ? 1 : 0;
    const uint32_t bytes = std::min(m_room, m_left);
    m_room -= bytes;
    m_left -= bytes;
    if (m_left > 0)
    {
        return;
    }
    static const SendSources sources = SourcesOfPlainDevice();
    const ns3::Ptr<ns3::Packet> packet = std::exchange(m_packet, nullptr);
    (this->*sources.phyTxEnd)(packet);
    ns3::DynamicCast<ns3::PointToPointChannel>(GetChannel())
        ->TransmitStart(packet, this, ns3::Time());
}

} // namespace tcpsweep
