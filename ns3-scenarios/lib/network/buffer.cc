// SPDX-License-Identifier: GPL-2.0-only
#include "network/buffer.h"

#include "network/link.h"
#include "network/streams.h"
#include "options/attempt.h"
#include "options/errors.h"
#include "options/ns3-types.h"
#include "options/values.h"

#include <ns3/boolean.h>
#include <ns3/cobalt-queue-disc.h>
#include <ns3/net-device-queue-interface.h>
#include <ns3/node.h>
#include <ns3/object-factory.h>
#include <ns3/pie-queue-disc.h>
#include <ns3/random-variable-stream.h>
#include <ns3/red-queue-disc.h>
#include <ns3/string.h>
#include <ns3/traffic-control-layer.h>
#include <ns3/uinteger.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace tcpsweep
{

namespace
{

/**
 * @param text a size
 * @return the size in packets, bytes or bandwidth-delay products; nothing if it cannot be read
 */
std::optional<BufferSize>
ReadSize(const std::string& text)
{
    double amount = 0;
    std::string unit;
    if (!ReadQuantity(text, amount, unit) || amount <= 0)
    {
        return std::nullopt;
    }
    if (unit == "bdp")
    {
        return BufferSize{amount, BufferSize::BDP};
    }
    const auto factor = static_cast<double>(unit == "p" ? 1 : BytesPerUnit(unit));
    amount *= factor;
    const bool fits =
        amount == std::floor(amount) && amount <= std::numeric_limits<uint32_t>::max();
    if (factor == 0 || !fits)
    {
        return std::nullopt;
    }
    return BufferSize{amount, unit == "p" ? BufferSize::PACKETS : BufferSize::BYTES};
}

/**
 * Set the random stream of a disc that uses random numbers; each such class has its own method.
 *
 * @param disc the disc
 * @param stream the stream's number
 */
void
AssignStream(ns3::Ptr<ns3::QueueDisc> disc, int64_t stream)
{
    if (const auto red = ns3::DynamicCast<ns3::RedQueueDisc>(disc))
    {
        red->AssignStreams(stream);
    }
    else if (const auto pie = ns3::DynamicCast<ns3::PieQueueDisc>(disc))
    {
        pie->AssignStreams(stream);
    }
    else if (const auto cobalt = ns3::DynamicCast<ns3::CobaltQueueDisc>(disc))
    {
        cobalt->AssignStreams(stream);
    }
}

/**
 * Number the streams of the discs inside a disc. FqPIE, for example, makes a disc for each queue of
 * flows when its first packet arrives. No such disc uses a random number before that packet is in:
 * PIE does not drop before it has seen a delay, and COBALT draws when a packet leaves.
 *
 * @param disc the outer disc
 * @param number the disc's number
 */
void
AssignStreamsOfClasses(ns3::Ptr<ns3::QueueDisc> disc, uint32_t number)
{
    disc->TraceConnectWithoutContext(
        "Enqueue",
        ns3::Callback<void, ns3::Ptr<const ns3::QueueDiscItem>>(
            // Do not capture the Ptr: the disc would keep itself alive.
            [disc = ns3::PeekPointer(disc), number, known = uint32_t{0}](
                ns3::Ptr<const ns3::QueueDiscItem>) mutable
            {
                for (; known < disc->GetNQueueDiscClasses(); ++known)
                {
                    AssignStream(disc->GetQueueDiscClass(known)->GetQueueDisc(),
                                 StreamOfClass(number, known));
                }
            }));
}

/**
 * @param number the disc's number
 * @return a salt for the disc's hash, derived from seed and run
 */
uint32_t
DrawSalt(uint32_t number)
{
    const auto draw = ns3::CreateObject<ns3::UniformRandomVariable>();
    draw->SetStream(StreamOf(Draw::HASH_SALT, number));
    return draw->GetInteger(0, std::numeric_limits<uint32_t>::max());
}

/**
 * Let the device notify the disc above it when its queue is full; without this, the disc would
 * never have a packet.
 *
 * @param device the device
 * @return the interface between the two
 */
ns3::Ptr<ns3::NetDeviceQueueInterface>
AddBackpressure(ns3::Ptr<ns3::PointToPointNetDevice> device)
{
    const auto interface = ns3::CreateObject<ns3::NetDeviceQueueInterface>();
    interface->GetTxQueue(0)->ConnectQueueTraces(device->GetQueue());
    device->AggregateObject(interface);
    return interface;
}

} // namespace

ns3::QueueSize
BufferSize::Resolve(double bdpBytes, uint32_t wirePacketBytes) const
{
    double count = amount;
    if (unit == BDP)
    {
        count = std::max(1.0, std::round(amount * bdpBytes / wirePacketBytes));
        if (count > std::numeric_limits<uint32_t>::max())
        {
            throw BadValue("more packets than a queue of ns-3 can hold, 4294967295");
        }
    }
    if (unit == BYTES && count < wirePacketBytes)
    {
        throw BadValue("holds no packet: a full one has " + std::to_string(wirePacketBytes) +
                       " bytes on the wire");
    }
    return {unit == BYTES ? ns3::QueueSizeUnit::BYTES : ns3::QueueSizeUnit::PACKETS,
            static_cast<uint32_t>(count)};
}

BufferSize
ParseBufferSize(const std::string& text)
{
    const auto size = ReadSize(text);
    if (!size || size->unit == BufferSize::BDP)
    {
        throw BadValue("a queue size in packets or bytes, such as 1p or 3kB", text);
    }
    return *size;
}

BufferSize
ParseQueueSize(const std::string& text)
{
    const auto size = ReadSize(text);
    if (!size)
    {
        throw BadValue("a queue size in packets, bytes or bandwidth-delay products, such as 100p, "
                       "64kB or 1bdp",
                       text);
    }
    return *size;
}

uint64_t
InBytes(ns3::QueueSize size, uint32_t wirePacketBytes)
{
    const uint64_t count = size.GetValue();
    return size.GetUnit() == ns3::QueueSizeUnit::BYTES ? count : count * wirePacketBytes;
}

ns3::Ptr<ns3::QueueDisc>
Buffer::Install(ns3::Ptr<ns3::PointToPointNetDevice> device, uint32_t number) const
{
    if (!hasDisc)
    {
        device->SetQueue(MakeDropTail(size));
        return nullptr;
    }
    device->SetQueue(MakeDropTail(deviceSize));
    AddBackpressure(device);
    const auto made = MakeDisc();
    AssignStream(made, StreamOf(Draw::QUEUE_DISC, number));
    AssignStreamsOfClasses(made, number);
    if (salted)
    {
        made->SetAttribute(SALT, ns3::UintegerValue(DrawSalt(number)));
    }
    device->GetNode()->GetObject<ns3::TrafficControlLayer>()->SetRootQueueDiscOnDevice(device,
                                                                                       made);
    return made;
}

void
Buffer::Check() const
{
    if (!hasDisc)
    {
        return;
    }
    if (!HasAttribute(disc, "MaxSize"))
    {
        throw BadValue(disc.GetName() +
                       " has no MaxSize, so it cannot be given the size of --queue");
    }
    // A disc checks its settings only when it is initialized, and ends the process if they do not
    // fit.
    const auto refused = Attempt(
        [this]
        {
            const auto device = ns3::CreateObject<ns3::PointToPointNetDevice>();
            device->SetQueue(MakeDropTail(deviceSize));
            const auto made = MakeDisc();
            made->SetNetDeviceQueueInterface(AddBackpressure(device));
            made->Initialize();
            // Some discs silently keep their default.
            if (made->GetMaxSize().GetUnit() != size.GetUnit())
            {
                throw BadValue("it does not count in these units");
            }
            if (made->GetMaxSize() != size)
            {
                throw BadValue("it does not take that size");
            }
        });
    if (refused)
    {
        std::ostringstream text;
        text << size;
        throw BadValue(disc.GetName() + " cannot be set up with a size of " + text.str() + ": " +
                       *refused);
    }
}

ns3::Ptr<ns3::QueueDisc>
Buffer::MakeDisc() const
{
    ns3::ObjectFactory factory;
    factory.SetTypeId(disc);
    factory.Set("MaxSize", ns3::QueueSizeValue(size));
    if (HasAttribute(disc, "LinkBandwidth"))
    {
        factory.Set("LinkBandwidth", ns3::DataRateValue(rate));
    }
    if (HasAttribute(disc, "LinkDelay"))
    {
        factory.Set("LinkDelay", ns3::TimeValue(delay));
    }
    if (HasAttribute(disc, "UseEcn"))
    {
        factory.Set("UseEcn", ns3::BooleanValue(ecn));
    }
    for (const auto& [attribute, value] : settings)
    {
        factory.Set(attribute, ns3::StringValue(value));
    }
    return factory.Create<ns3::QueueDisc>();
}

} // namespace tcpsweep
