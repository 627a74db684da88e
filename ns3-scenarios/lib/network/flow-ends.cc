// SPDX-License-Identifier: GPL-2.0-only
#include "network/flow-ends.h"

#include "network/internet.h"

namespace tcpsweep
{

namespace
{

/**
 * @param json where it goes, as a value
 * @param link a link, or nothing
 */
void
WriteAccessLink(JsonWriter& json, const std::optional<AccessLink>& link)
{
    if (!link)
    {
        json.Null();
        return;
    }
    json.BeginObject()
        .Member("bandwidth_bps", link->bandwidth.GetBitRate())
        .Member("delay_s", link->delay.GetSeconds())
        .EndObject();
}

} // namespace

void
FlowEnds::Write(JsonWriter& json) const
{
    json.Member("source", Text(AddressOf(sender)))
        .Member("source_node", sender->GetId())
        .Member("source_interface", senderInterface)
        .Member("destination", Text(AddressOf(receiver)))
        .Member("destination_node", receiver->GetId())
        .Member("destination_interface", receiverInterface);
    WriteAccessLink(json.Key("source_access"), senderAccess);
    WriteAccessLink(json.Key("destination_access"), receiverAccess);
}

} // namespace tcpsweep
