// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_OPTIONS_H
#define TCPSWEEP_OPTIONS_H

#include "options/errors.h"
#include "options/text.h"

#include <string>
#include <type_traits>
#include <vector>

namespace tcpsweep
{

/// An option of a scenario's command line.
struct Option
{
    std::string name;  //!< as on the command line
    std::string help;  //!< what it says, without its unit
    std::string unit;  //!< what its values count; empty where they count nothing
    std::string value; //!< its value as text, at first the default
};

/// What stands for an option that a scenario does not have.
struct Constant
{
    std::string name;  //!< the option's name
    std::string value; //!< its value as text
};

/**
 * A scenario's command line: ns-3's CommandLine, with its own options for seed, run and attributes,
 * checked first so that a mistake is one message.
 */
class Options
{
  public:
    /**
     * @param options all that a scenario may have, with their defaults
     * @param constants those that this scenario does not have
     * @param owned attributes that the options set, such as ns3::TcpSocket::SegmentSize, and that
     * nobody else may
     */
    Options(const std::vector<Option>& options,
            std::vector<Constant> constants,
            std::vector<std::string> owned);

    /**
     * Read the command line; a call for help is answered and ends the process.
     *
     * @param argc the number of arguments
     * @param argv the arguments
     * @throws UsageError at anything that is not an option
     */
    void Parse(int argc, char** argv);

    /// @return the names and values of all options in force, and of the constants
    std::vector<Constant> All() const;

    /**
     * @param name an option's or a constant's name
     * @return its value as text
     */
    const std::string& Text(const std::string& name) const;

    /**
     * @param name an option's name
     * @param parse what makes a value of a text or throws BadValue
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
            throw UsageError(name, error.what());
        }
    }

    /**
     * @param name name of an option whose value may be a list with commas
     * @param parse what makes a value of a text or throws BadValue
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
     * @throws UsageError where it is not an option, or its value is not one of ns-3's
     */
    void Check(const std::string& argument) const;

    /**
     * @param name an attribute's full name
     * @param value its value
     * @throws UsageError where ns-3 does not take it
     */
    void CheckAttribute(const std::string& name, const std::string& value) const;

    std::vector<Option> m_options;     //!< the scenario's options
    std::vector<Constant> m_constants; //!< what stands for options of other scenarios
    std::vector<std::string> m_owned;  //!< attributes that the options set
};

} // namespace tcpsweep

#endif // TCPSWEEP_OPTIONS_H
