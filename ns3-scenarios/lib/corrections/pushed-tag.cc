// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/pushed-tag.h"

#include <ostream>

namespace tcpsweep
{

NS_OBJECT_ENSURE_REGISTERED(PushedTag);

ns3::TypeId
PushedTag::GetTypeId()
{
    static const ns3::TypeId tid =
        ns3::TypeId("tcpsweep::PushedTag").SetParent<ns3::Tag>().AddConstructor<PushedTag>();
    return tid;
}

ns3::TypeId
PushedTag::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
PushedTag::GetSerializedSize() const
{
    return 0;
}

void
PushedTag::Serialize(ns3::TagBuffer) const
{
}

void
PushedTag::Deserialize(ns3::TagBuffer)
{
}

void
PushedTag::Print(std::ostream& out) const
{
    out << "PSH";
}

} // namespace tcpsweep
