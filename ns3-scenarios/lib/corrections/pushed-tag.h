// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_PUSHED_TAG_H
#define TCPSWEEP_PUSHED_TAG_H

#include <ns3/tag.h>

namespace tcpsweep
{

/// Marks a segment after which the sender has no more data, as TCP's flag PSH does. ns-3 does not
/// set the flag.
class PushedTag : public ns3::Tag
{
  public:
    /// @return the type's id
    static ns3::TypeId GetTypeId();

    ns3::TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(ns3::TagBuffer buffer) const override;
    void Deserialize(ns3::TagBuffer buffer) override;
    void Print(std::ostream& out) const override;
};

} // namespace tcpsweep

#endif // TCPSWEEP_PUSHED_TAG_H
