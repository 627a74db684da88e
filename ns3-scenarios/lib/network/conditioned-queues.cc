// SPDX-License-Identifier: GPL-2.0-only
#include "network/conditioned-queues.h"

#include "network/link.h"

#include <ns3/simulator.h>

#include <utility>

namespace tcpsweep
{

bool
Conditions::Admit(uint32_t bytes)
{
    const bool conforms = !policer || policer->Take(ns3::Simulator::Now(), bytes);
    counts.policedPackets += conforms ? 0 : 1;
    return conforms;
}

bool
Conditions::Thin(const ns3::Packet* packet)
{
    const bool isNeedless = filter && filter->Leave(packet);
    counts.thinnedPackets += isNeedless ? 1 : 0;
    return isNeedless;
}

NS_OBJECT_ENSURE_REGISTERED(ConditionedQueue);

ns3::TypeId
ConditionedQueue::GetTypeId()
{
    static const ns3::TypeId tid =
        ns3::TypeId("tcpsweep::ConditionedQueue").SetParent<ns3::DropTailQueue<ns3::Packet>>();
    return tid;
}

void
ConditionedQueue::SetConditions(std::shared_ptr<Conditions> conditions)
{
    m_conditions = std::move(conditions);
}

bool
ConditionedQueue::Enqueue(ns3::Ptr<ns3::Packet> packet)
{
    if (!m_conditions->Admit(packet->GetSize()))
    {
        DropBeforeEnqueue(packet);
        return false;
    }
    const bool queued = DropTailQueue::Enqueue(packet);
    if (queued && m_conditions->filter)
    {
        m_conditions->filter->Enter(ns3::PeekPointer(packet), PureAckInFrame(packet));
    }
    return queued;
}

ns3::Ptr<ns3::Packet>
ConditionedQueue::Dequeue()
{
    auto packet = DropTailQueue::Dequeue();
    while (packet && m_conditions->Thin(ns3::PeekPointer(packet)))
    {
        DropAfterDequeue(packet);
        packet = DropTailQueue::Dequeue();
    }
    return packet;
}

NS_OBJECT_ENSURE_REGISTERED(ConditionedDisc);

ns3::TypeId
ConditionedDisc::GetTypeId()
{
    static const ns3::TypeId tid =
        ns3::TypeId("tcpsweep::ConditionedDisc").SetParent<ns3::QueueDisc>();
    return tid;
}

ConditionedDisc::ConditionedDisc()
    : QueueDisc(ns3::QueueDiscSizePolicy::NO_LIMITS)
{
    TraceConnectWithoutContext("DropAfterDequeue",
                               ns3::MakeCallback(&ConditionedDisc::Forget, this));
}

void
ConditionedDisc::SetConditions(std::shared_ptr<Conditions> conditions)
{
    m_conditions = std::move(conditions);
}

ns3::Ptr<ns3::QueueDisc>
ConditionedDisc::Child() const
{
    return GetQueueDiscClass(0)->GetQueueDisc();
}

bool
ConditionedDisc::DoEnqueue(ns3::Ptr<ns3::QueueDiscItem> item)
{
    if (!m_conditions->Admit(item->GetSize() + PPP_HEADER_BYTES))
    {
        DropBeforeEnqueue(item, "Dropped by policer");
        return false;
    }
    // A disc may accept a packet and drop it at once, as FqCoDel does when it is full; Forget()
    // handles this.
    m_entering = ns3::PeekPointer(item->GetPacket());
    const bool queued = Child()->Enqueue(item);
    if (queued && m_entering && m_conditions->filter)
    {
        m_conditions->filter->Enter(m_entering, PureAckInItem(item));
    }
    return queued;
}

ns3::Ptr<ns3::QueueDiscItem>
ConditionedDisc::DoDequeue()
{
    auto item = Child()->Dequeue();
    while (item && m_conditions->Thin(ns3::PeekPointer(item->GetPacket())))
    {
        DropAfterDequeue(item, "Dropped by ACK thinning");
        item = Child()->Dequeue();
    }
    return item;
}

bool
ConditionedDisc::CheckConfig()
{
    return GetNQueueDiscClasses() == 1 && GetNInternalQueues() == 0;
}

void
ConditionedDisc::InitializeParams()
{
}

void
ConditionedDisc::Forget(ns3::Ptr<const ns3::QueueDiscItem> item, const char*)
{
    const ns3::Packet* const packet = ns3::PeekPointer(item->GetPacket());
    m_entering = m_entering == packet ? nullptr : m_entering;
    if (m_conditions->filter)
    {
        m_conditions->filter->Forget(packet);
    }
}

} // namespace tcpsweep
