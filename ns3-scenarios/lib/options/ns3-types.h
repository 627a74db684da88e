// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_NS3_TYPES_H
#define TCPSWEEP_NS3_TYPES_H

#include <ns3/object-base.h>
#include <ns3/type-id.h>

#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * Look up ns-3's types and attributes by name, without the calls that end the process for an
 * unknown name. Only the .cc file knows the differences between versions of ns-3.
 */

namespace tcpsweep
{

/// @return the version of ns-3 that this program is built with, such as 3.44
std::string Ns3Version();

/// A value for an attribute of a type.
struct Setting
{
    std::string type;      //!< the type, such as ns3::TcpSocket
    std::string attribute; //!< the attribute, such as InitialCwnd
    std::string value;     //!< its value as text
};

/**
 * @param name a name with or without ns3::
 * @return the name with it
 */
std::string FullTypeName(const std::string& name);

/// @return every type that is registered, by name
std::vector<ns3::TypeId> RegisteredTypes();

/**
 * @param type a type
 * @param ancestor another
 * @return whether the type has a constructor and descends from the ancestor
 */
bool IsUsableAs(ns3::TypeId type, ns3::TypeId ancestor);

/**
 * @param name a type's name, with or without ns3::
 * @param ancestor its required ancestor
 * @param what the message's name for such a type
 * @return the type
 * @throws BadValue with the names to choose from
 */
ns3::TypeId FindType(const std::string& name, ns3::TypeId ancestor, const std::string& what);

/**
 * @param type a type
 * @return it and its ancestors, the type first
 */
std::vector<ns3::TypeId> WithAncestors(ns3::TypeId type);

/**
 * @param type a type
 * @param attribute name of an attribute
 * @return whether the type or one of its ancestors has it
 */
bool HasAttribute(ns3::TypeId type, const std::string& attribute);

/**
 * @param type a type that has the attribute, itself or from an ancestor
 * @param attribute the attribute's name
 * @return the default of new objects, as text
 */
std::string ValueInForce(ns3::TypeId type, const std::string& attribute);

/**
 * @param type a type
 * @return the type's own attributes whose values can be written as text, with the values that new
 * objects get
 */
std::vector<std::pair<std::string, std::string>> ValuesInForce(ns3::TypeId type);

/**
 * @param object an object
 * @return the attributes of its type and of the type's ancestors whose values can be written as
 * text, by full name, with the object's values
 */
std::vector<std::pair<std::string, std::string>> ValuesInForce(const ns3::ObjectBase& object);

/**
 * @param checker of an attribute
 * @return whether its values are objects or callbacks, which no text describes
 */
bool IsObjectValued(ns3::Ptr<const ns3::AttributeChecker> checker);

/**
 * @param setting a type, an attribute and a value
 * @throws BadValue for an unknown type or attribute, or a value that cannot be read; some values
 * that ns-3 refuses end the process instead
 */
void CheckSetting(const Setting& setting);

} // namespace tcpsweep

#endif // TCPSWEEP_NS3_TYPES_H
