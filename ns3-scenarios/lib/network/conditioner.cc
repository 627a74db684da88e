// SPDX-License-Identifier: GPL-2.0-only
#include "network/conditioner.h"

#include "options/values.h"

#include <ns3/net-device-queue-interface.h>
#include <ns3/node.h>
#include <ns3/traffic-control-layer.h>

namespace tcpsweep
{

std::vector<Option>
Conditioner::Declared()
{
    return {
        {"policer_rate",
         "Rate of a token bucket before the link's queue, which drops packets above it; none for "
         "no policer",
         "bit/s",
         "none"},
        {"policer_burst", "Size of the policer's token bucket, in bytes on the wire", "B", "64kB"},
        {"ack_thinning",
         "ACKs that are dropped at the head of the link's queue because a newer ACK in it replaces "
         "them: none, all, or a number n for all but one of n in a row",
         "",
         "none"},
    };
}

Conditioner
Conditioner::FromOptions(const Options& options)
{
    const auto burst = [](const std::string& text)
    {
        const uint64_t bytes = ParseBytes(text);
        if (bytes > TokenBucket::MOST_BURST_BYTES)
        {
            throw BadValue("at most 1GB", text);
        }
        return bytes;
    };
    const auto thinning = [](const std::string& text) -> std::optional<uint32_t>
    {
        if (text == "none")
        {
            return std::nullopt;
        }
        if (text == "all")
        {
            return 0;
        }
        try
        {
            return static_cast<uint32_t>(ParseCount(text, 2, 1000000));
        }
        catch (const BadValue&)
        {
            throw BadValue("none, all or a whole number from 2 to 1000000", text);
        }
    };
    return {options.As("policer_rate",
                       [](const std::string& text)
                       { return text == "none" ? std::nullopt : std::optional(ParseRate(text)); }),
            options.As("policer_burst", burst),
            options.As("ack_thinning", thinning)};
}

bool
Conditioner::IsOn() const
{
    return policerRate || thinning;
}

Conditioner::Installed
Conditioner::Install(ns3::Ptr<ns3::PointToPointNetDevice> device,
                     ns3::Ptr<ns3::QueueDisc> disc) const
{
    if (!IsOn())
    {
        return {disc, nullptr};
    }
    const auto conditions = std::make_shared<Conditions>();
    if (policerRate)
    {
        conditions->policer.emplace(*policerRate, policerBurst);
    }
    if (thinning)
    {
        conditions->filter.emplace(*thinning);
    }
    const std::shared_ptr<const Conditions::Counts> counts(conditions, &conditions->counts);
    if (!disc)
    {
        const auto queue = ns3::CreateObject<ConditionedQueue>();
        queue->SetMaxSize(device->GetQueue()->GetMaxSize());
        queue->SetConditions(conditions);
        device->SetQueue(queue);
        return {nullptr, counts};
    }
    // FqCoDel and its kin take their quantum from the device.
    disc->SetNetDeviceQueueInterface(device->GetObject<ns3::NetDeviceQueueInterface>());
    const auto child = ns3::CreateObject<ns3::QueueDiscClass>();
    child->SetQueueDisc(disc);
    const auto root = ns3::CreateObject<ConditionedDisc>();
    root->AddQueueDiscClass(child);
    root->SetConditions(conditions);
    const auto control = device->GetNode()->GetObject<ns3::TrafficControlLayer>();
    control->DeleteRootQueueDiscOnDevice(device);
    control->SetRootQueueDiscOnDevice(device, root);
    return {root, counts};
}

} // namespace tcpsweep
