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
 * ns-3's types and attributes by name, without the calls that end the process at a name that they
 * do not find. What differs between ns-3's versions stands in the .cc file, and nowhere else.
 */

namespace tcpsweep
{

/// @return the version of ns-3 that this is built against, such as 3.44
std::string Ns3Version();

/// An attribute of a type, and what it was asked for.
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
 * @return whether objects of the type can be made and are of the ancestor's kind
 */
bool IsUsableAs(ns3::TypeId type, ns3::TypeId ancestor);

/**
 * @param name a type's name, with or without ns3::
 * @param ancestor what it must descend from
 * @param what what such a type is called, for the message
 * @return the type
 * @throws BadValue with the names there are
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
 * @return the value that new objects get, as text
 */
std::string ValueInForce(ns3::TypeId type, const std::string& attribute);

/**
 * @param type a type
 * @return the type's own attributes that a text can say, with the values that new objects get
 */
std::vector<std::pair<std::string, std::string>> ValuesInForce(ns3::TypeId type);

/**
 * @param object an object
 * @return the attributes of its type and of that type's ancestors that a text can say, by their
 * full names, with the object's values
 */
std::vector<std::pair<std::string, std::string>> ValuesInForce(const ns3::ObjectBase& object);

/**
 * @param checker of an attribute
 * @return whether its values are objects or callbacks, for which a text says nothing
 */
bool IsObjectValued(ns3::Ptr<const ns3::AttributeChecker> checker);

/**
 * @param setting a type, an attribute and a value
 * @throws BadValue where there is no such type or attribute, or the value cannot be read; what the
 * value's own reader does not take may also end the process
 */
void CheckSetting(const Setting& setting);

} // namespace tcpsweep

#endif // TCPSWEEP_NS3_TYPES_H
