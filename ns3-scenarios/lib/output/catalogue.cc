// SPDX-License-Identifier: GPL-2.0-only
#include "output/catalogue.h"

#include "options/attempt.h"
#include "options/errors.h"
#include "options/ns3-types.h"
#include "output/json.h"

#include <ns3/double.h>
#include <ns3/nstime.h>
#include <ns3/string.h>

#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace tcpsweep
{

namespace
{

/**
 * @param json where it goes
 * @param attribute an attribute
 */
void
WriteAttribute(JsonWriter& json, const ns3::TypeId::AttributeInformation& attribute)
{
    // As text, an object is its address in this process, which says nothing.
    const std::string value =
        IsObjectValued(attribute.checker)
            ? ""
            : attribute.originalInitialValue->SerializeToString(attribute.checker);
    json.Key(attribute.name)
        .BeginObject()
        .Member("type", attribute.checker->GetValueTypeName())
        .Member("values", attribute.checker->GetUnderlyingTypeInformation())
        .Member("default", value)
        .Member("help", attribute.help)
        .EndObject();
}

/**
 * @param json where it goes
 * @param type a type
 */
void
WriteType(JsonWriter& json, ns3::TypeId type)
{
    const auto line = WithAncestors(type);
    json.Key(type.GetName()).BeginObject();
    json.Key("parent");
    line.size() > 1 ? json.Value(line[1].GetName()) : json.Null();
    json.Member("constructible", type.HasConstructor());
    json.Key("attributes").BeginObject();
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        WriteAttribute(json, type.GetAttribute(i));
    }
    json.EndObject().EndObject();
}

/**
 * @param line `ns3::Class::Attribute=value`
 * @return its parts
 */
Setting
ParseSetting(const std::string& line)
{
    const auto equals = line.find('=');
    const auto colons = line.rfind("::", equals);
    if (equals == std::string::npos || colons == std::string::npos)
    {
        throw BadValue("ns3::Class::Attribute=value", line);
    }
    return {line.substr(0, colons),
            line.substr(colons + 2, equals - colons - 2),
            line.substr(equals + 1)};
}

/**
 * @param setting a setting that CheckSetting lets pass
 * @return the value as ns-3 prints it: equal values have one text; nothing for objects
 */
std::optional<std::string>
AsRead(const Setting& setting)
{
    ns3::TypeId::AttributeInformation found;
    ns3::TypeId::LookupByName(setting.type).LookupAttributeByName(setting.attribute, &found);
    if (IsObjectValued(found.checker))
    {
        return std::nullopt;
    }
    const auto value = found.checker->CreateValidValue(ns3::StringValue(setting.value));
    std::ostringstream exact; // ns-3 writes six digits of a number or a time
    exact.precision(std::numeric_limits<double>::max_digits10);
    if (const auto number = ns3::DynamicCast<const ns3::DoubleValue>(value))
    {
        exact << number->Get();
        return exact.str();
    }
    if (const auto time = ns3::DynamicCast<const ns3::TimeValue>(value))
    {
        exact << time->Get().GetNanoSeconds() << "ns";
        return exact.str();
    }
    return value->SerializeToString(found.checker);
}

} // namespace

void
WriteCatalogue(std::ostream& os)
{
    JsonWriter json(os);
    json.BeginObject().Member("ns3_version", Ns3Version());
    json.Key("types").BeginObject();
    for (const auto& type : RegisteredTypes())
    {
        WriteType(json, type);
    }
    json.EndObject().EndObject();
}

void
CheckSettings(std::istream& is, std::ostream& os)
{
    std::vector<std::string> lines;
    for (std::string line; std::getline(is, line);)
    {
        lines.push_back(line);
    }
    const auto outcomes = AttemptAll(
        lines.size(),
        [&lines](std::size_t i)
        {
            CheckSetting(ParseSetting(lines[i]));
            AsRead(ParseSetting(lines[i])); // ns-3 takes an empty TypeId and ends when it writes it
        });
    JsonWriter json(os);
    json.BeginArray();
    for (std::size_t i = 0; i < outcomes.size(); ++i)
    {
        const auto& problem = outcomes[i];
        json.BeginObject().Member("ok", !problem);
        problem ? json.Member("error", *problem)
                : json.Member("value", AsRead(ParseSetting(lines[i])));
        json.EndObject();
    }
    json.EndArray();
}

} // namespace tcpsweep
