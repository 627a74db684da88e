// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_OPTIONS_H
#define TCPSWEEP_OPTIONS_H

#include "options/errors.h"
#include "options/text.h"

#include <ns3/type-id.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

namespace tcpsweep
{

/// An option of a scenario's command line.
struct Option
{
    std::string name;  //!< its name on the command line
    std::string help;  //!< its description, without its unit
    std::string unit;  //!< the unit of its values; empty if they have none
    std::string value; //!< its value as text, at first the default
};

/**
 * @param name a parameter that `config/schema.yaml` has
 * @param help its description, without its unit
 * @return the option, with the unit and the default that the schema gives it
 */
Option ParameterOption(const std::string& name, const std::string& help);

/// The fixed value of an option that a scenario lacks.
struct Constant
{
    std::string name;  //!< the option's name
    std::string value; //!< its value as text
};

/**
 * A scenario's command line: ns-3's CommandLine, with its options for seed, run and attributes,
 * checked beforehand so that a mistake gives one message.
 */
class Options
{
  public:
    /**
     * @param options all options that a scenario may have, with their defaults
     * @param constants fixed values of the options that this scenario lacks
     * @param owned attributes that the options set, such as ns3::TcpSocket::SegmentSize, and that
     * the command line must not
     * @param groups groups of things that the command line names itself, such as links in
     * --links.first.delay=10ms
     */
    Options(const std::vector<Option>& options,
            std::vector<Constant> constants,
            std::vector<std::string> owned,
            std::vector<std::string> groups = {});

    /**
     * Read the command line. Answer a call for help and end the process.
     *
     * @param argc the number of arguments
     * @param argv the arguments
     * @throws UsageError at anything that is not an option
     */
    void Parse(int argc, char** argv);

    /// @return the names and values of all options in force, of the constants, and of all that is
    /// said of the things of groups
    std::vector<Constant> All() const;

    /**
     * @param group a group
     * @return the names of its things, in the command line's order
     */
    std::vector<std::string> ThingsOf(const std::string& group) const;

    /**
     * @param name the full name of a thing's field
     * @return its value on the command line, if it has one
     */
    std::optional<std::string> TextOf(const std::string& name) const;

    /**
     * @param prefix the prefix of a thing's fields, such as links.first.
     * @param fields the fields that it may have, with their defaults
     * @param member the thing's number among several alike: of a value that is a list, it has the
     * one whose turn it is; nothing to keep lists as they are
     * @return the thing's fields as options, whose errors name them in full
     * @throws UsageError for an unknown field
     */
    Options Part(const std::string& prefix,
                 const std::vector<Option>& fields,
                 std::optional<uint64_t> member = std::nullopt) const;

    /**
     * @param more options that may be missing here, with their defaults
     * @return these options, and those that were missing
     */
    Options With(const std::vector<Option>& more) const;

    /**
     * @param name an option's name
     * @return its name on the command line
     */
    std::string Full(const std::string& name) const;

    /**
     * @param name a name
     * @return whether an option or a constant has this name
     */
    bool Has(const std::string& name) const;

    /**
     * @param name an option's or a constant's name
     * @return its value as text
     */
    const std::string& Text(const std::string& name) const;

    /**
     * @param type a type
     * @param attribute the name of an attribute of the type or of an ancestor
     * @return whether the command line sets it
     */
    bool Sets(ns3::TypeId type, const std::string& attribute) const;

    /**
     * @param name an option's name
     * @param parse makes a value from a text or throws BadValue
     * @return the value
     * @throws UsageError that names the option
     */
    template <typename Parse>
    auto
    As(const std::string& name, Parse parse) const
    {
        try
        {
            return parse(Text(name));
        }
        catch (const BadValue& error)
        {
            throw UsageError(Full(name), error.what());
        }
    }

    /**
     * @param name name of an option whose value may be a list with commas
     * @param parse makes a value from a text or throws BadValue
     * @return the values, at least one
     * @throws UsageError that names the option
     */
    template <typename Parse>
    auto
    ListAs(const std::string& name, Parse parse) const
    {
        return As(name,
                  [&parse](const std::string& text)
                  {
                      std::vector<std::decay_t<decltype(parse(text))>> values;
                      for (const auto& part : Split(text, ','))
                      {
                          values.push_back(parse(part));
                      }
                      return values;
                  });
    }

  private:
    /**
     * @param argument an argument
     * @throws UsageError if it is no option, or ns-3 refuses a global value's value
     */
    void Check(const std::string& argument) const;

    /**
     * @param name an attribute's full name
     * @throws UsageError if it is the scenario's own
     */
    void CheckAttribute(const std::string& name) const;

    std::string m_prefix;              //!< the prefix of the names of a thing's fields
    std::vector<std::string> m_groups; //!< groups of things
    std::vector<Constant> m_things;    //!< all values of the things in groups
    std::vector<Option> m_options;     //!< the scenario's options
    std::vector<Constant> m_constants; //!< fixed values of other scenarios' options
    std::vector<std::string> m_owned;  //!< attributes that the options set
    std::set<std::string> m_given;     //!< attributes that the command line sets
};

} // namespace tcpsweep

#endif // TCPSWEEP_OPTIONS_H
