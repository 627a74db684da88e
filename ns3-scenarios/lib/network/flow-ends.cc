// SPDX-License-Identifier: GPL-2.0-only
#include "network/flow-ends.h"

#include "network/internet.h"

namespace tcpsweep
{

void
FlowEnds::Write(JsonWriter& json) const
{
    json.Member("source", Text(AddressOf(sender)))
        .Member("source_node", sender->GetId())
        .Member("source_interface", senderInterface)
        .Member("destination", Text(AddressOf(receiver)))
        .Member("destination_node", receiver->GetId())
        .Member("destination_interface", receiverInterface);
    json.Key("path").BeginArray();
    for (const auto& step : path)
    {
        json.BeginObject()
            .Member("link", step.link)
            .Member("direction", std::string(NameOf(step.direction)))
            .Member("bandwidth_bps", step.is.bandwidth.GetBitRate())
            .Member("delay_s", step.is.delay.GetSeconds())
            .Member("jitter_s", step.jitter.GetSeconds())
            .Member("varies", step.varies)
            .EndObject();
    }
    json.EndArray();
}

} // namespace tcpsweep
