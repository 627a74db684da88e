// SPDX-License-Identifier: GPL-2.0-only
#include "options/ns3-types.h"

#include "options/errors.h"
#include "options/text.h"

#include <ns3/string.h>
#include <ns3/tcp-congestion-ops.h>

#include <algorithm>

namespace tcpsweep
{

namespace
{

/**
 * @param type a type
 * @return the type of its base class
 */
ns3::TypeId
ParentOf(ns3::TypeId type)
{
    // ns-3 3.37 registers TcpCubic as a child of TcpSocketBase.
    return type.GetName() == "ns3::TcpCubic" ? ns3::TcpCongestionOps::GetTypeId()
                                             : type.GetParent();
}

} // namespace

std::string
Ns3Version()
{
    return NS3_VERSION;
}

std::string
FullTypeName(const std::string& name)
{
    return StartsWith(name, "ns3::") ? name : "ns3::" + name;
}

std::vector<ns3::TypeId>
RegisteredTypes()
{
    std::vector<ns3::TypeId> types;
    for (uint16_t i = 0; i < ns3::TypeId::GetRegisteredN(); ++i)
    {
        types.push_back(ns3::TypeId::GetRegistered(i));
    }
    std::sort(types.begin(),
              types.end(),
              [](const auto& a, const auto& b) { return a.GetName() < b.GetName(); });
    return types;
}

bool
IsUsableAs(ns3::TypeId type, ns3::TypeId ancestor)
{
    const auto line = WithAncestors(type);
    return type.HasConstructor() && std::find(line.begin() + 1, line.end(), ancestor) != line.end();
}

ns3::TypeId
FindType(const std::string& name, ns3::TypeId ancestor, const std::string& what)
{
    ns3::TypeId type;
    if (ns3::TypeId::LookupByNameFailSafe(FullTypeName(name), &type) && IsUsableAs(type, ancestor))
    {
        return type;
    }
    std::vector<std::string> known;
    for (const auto& candidate : RegisteredTypes())
    {
        if (IsUsableAs(candidate, ancestor))
        {
            known.push_back(candidate.GetName().substr(FullTypeName("").size()));
        }
    }
    throw BadValue("ns-3 " + Ns3Version() + " has no " + what + " '" + name + "'; it has " +
                   Join(known, ", ") + DidYouMean(name, known));
}

std::vector<ns3::TypeId>
WithAncestors(ns3::TypeId type)
{
    std::vector<ns3::TypeId> line = {type};
    while (ParentOf(line.back()) != line.back())
    {
        line.push_back(ParentOf(line.back()));
    }
    return line;
}

bool
HasAttribute(ns3::TypeId type, const std::string& attribute)
{
    ns3::TypeId::AttributeInformation found;
    return type.LookupAttributeByName(attribute, &found);
}

std::string
ValueInForce(ns3::TypeId type, const std::string& attribute)
{
    ns3::TypeId::AttributeInformation found;
    type.LookupAttributeByName(attribute, &found);
    return found.initialValue->SerializeToString(found.checker);
}

std::vector<std::pair<std::string, std::string>>
ValuesInForce(ns3::TypeId type)
{
    std::vector<std::pair<std::string, std::string>> values;
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const auto attribute = type.GetAttribute(i);
        if (!IsObjectValued(attribute.checker))
        {
            values.emplace_back(attribute.name,
                                attribute.initialValue->SerializeToString(attribute.checker));
        }
    }
    return values;
}

std::vector<std::pair<std::string, std::string>>
ValuesInForce(const ns3::ObjectBase& object)
{
    std::vector<std::pair<std::string, std::string>> values;
    for (const auto& type : WithAncestors(object.GetInstanceTypeId()))
    {
        for (const auto& [attribute, unused] : ValuesInForce(type))
        {
            ns3::StringValue value;
            if (object.GetAttributeFailSafe(attribute, value))
            {
                values.emplace_back(type.GetName() + "::" + attribute, value.Get());
            }
        }
    }
    return values;
}

bool
IsObjectValued(ns3::Ptr<const ns3::AttributeChecker> checker)
{
    const std::string type = checker->GetValueTypeName();
    return type == "ns3::PointerValue" || type == "ns3::ObjectPtrContainerValue" ||
           type == "ns3::CallbackValue";
}

void
CheckSetting(const Setting& setting)
{
    ns3::TypeId type;
    if (!ns3::TypeId::LookupByNameFailSafe(setting.type, &type))
    {
        std::vector<std::string> known;
        for (const auto& candidate : RegisteredTypes())
        {
            known.push_back(candidate.GetName());
        }
        throw BadValue("ns-3 " + Ns3Version() + " has no type '" + setting.type + "'" +
                       DidYouMean(setting.type, known));
    }
    ns3::TypeId::AttributeInformation found;
    std::vector<std::string> known;
    for (const auto& owner : WithAncestors(type))
    {
        for (std::size_t i = 0; i < owner.GetAttributeN(); ++i)
        {
            known.push_back(owner.GetAttribute(i).name);
            if (known.back() != setting.attribute)
            {
                continue;
            }
            if (owner != type)
            {
                // ns-3 sets the defaults of a type's own attributes only.
                throw BadValue(setting.type + " has it from " + owner.GetName() + "; write " +
                               owner.GetName() + "::" + setting.attribute);
            }
            found = owner.GetAttribute(i);
        }
    }
    if (!found.checker)
    {
        throw BadValue(setting.type + " has no attribute '" + setting.attribute + "'" +
                       DidYouMean(setting.attribute, known));
    }
    if (!found.checker->CreateValidValue(ns3::StringValue(setting.value)))
    {
        throw BadValue("a value of its kind, " + found.checker->GetUnderlyingTypeInformation() +
                           ", such as " +
                           found.originalInitialValue->SerializeToString(found.checker),
                       setting.value);
    }
}

} // namespace tcpsweep
