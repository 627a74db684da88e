// SPDX-License-Identifier: GPL-2.0-only
#include "options/options.h"

#include "options/attempt.h"
#include "options/ns3-types.h"
#include "options/parameters.h"

#include <ns3/command-line.h>
#include <ns3/global-value.h>
#include <ns3/string.h>

#include <algorithm>
#include <iterator>

namespace tcpsweep
{

namespace
{

/**
 * @param name an option's name
 * @return whether it asks ns-3's CommandLine to print something and end
 */
bool
IsCallForHelp(const std::string& name)
{
    return name == "help" || name == "version" || StartsWith(name, "Print");
}

/**
 * @param items the items to search, each with a name
 * @param name a name
 * @return the item of that name, or nullptr
 */
template <typename Item>
const Item*
Named(const std::vector<Item>& items, const std::string& name)
{
    const auto found = std::find_if(items.begin(),
                                    items.end(),
                                    [&name](const Item& item) { return item.name == name; });
    return found == items.end() ? nullptr : &*found;
}

/**
 * @param name name of one of ns-3's global values, such as RngRun
 * @return the global value, or nullptr
 */
const ns3::GlobalValue*
FindGlobal(const std::string& name)
{
    const auto found =
        std::find_if(ns3::GlobalValue::Begin(),
                     ns3::GlobalValue::End(),
                     [&name](const auto* global) { return global->GetName() == name; });
    return found == ns3::GlobalValue::End() ? nullptr : *found;
}

/**
 * @param name an option's name
 * @param groups groups of things
 * @return whether it is a field of a thing of one of them, as links.first.delay is
 */
bool
NamesThing(const std::string& name, const std::vector<std::string>& groups)
{
    const auto parts = Split(name, '.');
    return parts.size() > 2 && std::find(groups.begin(), groups.end(), parts[0]) != groups.end();
}

/**
 * @param text a text
 * @return whether it is a whole number of few digits and nothing else
 */
bool
IsSmallNumber(const std::string& text)
{
    return !text.empty() && text.size() < 10 &&
           text.find_first_not_of("0123456789") == std::string::npos;
}

/**
 * @param name name of a global value
 * @param value its value
 */
void
CheckGlobal(const std::string& name, const std::string& value)
{
    if (name == "RngSeed" && value == "0")
    {
        // ns-3's random number generator ends the process at a seed of 0.
        throw UsageError(name, "expected a whole number from 1, got '0'");
    }
    const auto checker = FindGlobal(name)->GetChecker();
    if (checker->GetValueTypeName() == "ns3::UintegerValue" && IsSmallNumber(value) &&
        checker->CreateValidValue(ns3::StringValue(value)))
    {
        return; // which such a value leads to without ending the process
    }
    const auto refused = Attempt(
        [&checker, &value]
        {
            if (!checker->CreateValidValue(ns3::StringValue(value)))
            {
                throw BadValue(checker->GetUnderlyingTypeInformation(), value);
            }
        });
    if (refused)
    {
        throw UsageError(name, *refused);
    }
}

/**
 * @param settings settings of attributes
 * @throws UsageError ns-3 refuses one of them
 */
void
CheckSettings(const std::vector<Setting>& settings)
{
    const auto refused =
        AttemptAll(settings.size(), [&settings](std::size_t i) { CheckSetting(settings[i]); });
    for (std::size_t i = 0; i < settings.size(); ++i)
    {
        if (refused[i])
        {
            throw UsageError(settings[i].type + "::" + settings[i].attribute, *refused[i]);
        }
    }
}

} // namespace

Option
ParameterOption(const std::string& name, const std::string& help)
{
    for (const auto& parameter : PARAMETERS)
    {
        if (parameter.name == name)
        {
            return {name, help, parameter.unit, parameter.value};
        }
    }
    throw std::logic_error("config/schema.yaml has no parameter '" + name + "'");
}

Options::Options(const std::vector<Option>& options,
                 std::vector<Constant> constants,
                 std::vector<std::string> owned,
                 std::vector<std::string> groups)
    : m_groups(std::move(groups)),
      m_constants(std::move(constants)),
      m_owned(std::move(owned))
{
    std::copy_if(options.begin(),
                 options.end(),
                 std::back_inserter(m_options),
                 [this](const auto& option) { return !Named(m_constants, option.name); });
}

void
Options::Parse(int argc, char** argv)
{
    std::vector<Setting> settings;
    std::for_each(argv + 1,
                  argv + argc,
                  [this, &settings](const char* argument)
                  {
                      Check(argument);
                      const std::string text(argument);
                      const auto equals = text.find('=');
                      const auto name = text.substr(2, equals - 2);
                      if (StartsWith(text, "--ns3::"))
                      {
                          m_given.insert(name);
                          const auto colons = name.rfind("::");
                          settings.push_back({name.substr(0, colons),
                                              name.substr(colons + 2),
                                              text.substr(equals + 1)});
                      }
                      if (NamesThing(name, m_groups))
                      {
                          m_things.push_back({name, ""});
                      }
                  });
    CheckSettings(settings);
    ns3::CommandLine line;
    // For a std::string, ns-3 would take only the text before the first space.
    const auto into = [](std::string& value)
    {
        return ns3::Callback<bool, const std::string&>(
            [&value](const std::string& text)
            {
                value = text;
                return true;
            });
    };
    for (auto& option : m_options)
    {
        const std::string unit = option.unit.empty() ? "" : " (" + option.unit + ")";
        line.AddValue(option.name, option.help + unit, into(option.value), option.value);
    }
    for (auto& field : m_things)
    {
        line.AddValue(field.name, "", into(field.value));
    }
    line.Parse(argc, argv);
}

std::vector<Constant>
Options::All() const
{
    auto all = m_constants;
    for (const auto& option : m_options)
    {
        all.push_back({option.name, option.value});
    }
    all.insert(all.end(), m_things.begin(), m_things.end());
    return all;
}

std::vector<std::string>
Options::ThingsOf(const std::string& group) const
{
    std::vector<std::string> names;
    for (const auto& field : m_things)
    {
        const auto parts = Split(field.name, '.');
        if (parts[0] == group && std::find(names.begin(), names.end(), parts[1]) == names.end())
        {
            names.push_back(parts[1]);
        }
    }
    return names;
}

std::optional<std::string>
Options::TextOf(const std::string& name) const
{
    const auto* said = Named(m_things, name);
    return said ? std::optional(said->value) : std::nullopt;
}

Options
Options::Part(const std::string& prefix,
              const std::vector<Option>& fields,
              std::optional<uint64_t> member) const
{
    Options part(fields, {}, m_owned);
    part.m_prefix = prefix;
    part.m_given = m_given;
    std::vector<std::string> known;
    for (const auto& field : fields)
    {
        known.push_back(field.name);
    }
    for (const auto& said : m_things)
    {
        if (!StartsWith(said.name, prefix))
        {
            continue;
        }
        const auto name = said.name.substr(prefix.size());
        const auto field = std::find_if(part.m_options.begin(),
                                        part.m_options.end(),
                                        [&name](const auto& each) { return each.name == name; });
        if (field != part.m_options.end())
        {
            field->value = said.value;
        }
        else if (name.find('.') == std::string::npos)
        {
            throw UsageError(said.name, "there is no such field" + DidYouMean(name, known));
        }
    }
    if (member)
    {
        for (auto& field : part.m_options)
        {
            const auto values = Split(field.value, ',');
            field.value = values[*member % values.size()];
        }
    }
    return part;
}

Options
Options::With(const std::vector<Option>& more) const
{
    Options all = *this;
    std::copy_if(more.begin(),
                 more.end(),
                 std::back_inserter(all.m_options),
                 [this](const auto& option) { return !Has(option.name); });
    return all;
}

std::string
Options::Full(const std::string& name) const
{
    return m_prefix + name;
}

bool
Options::Has(const std::string& name) const
{
    return Named(m_options, name) || Named(m_constants, name);
}

const std::string&
Options::Text(const std::string& name) const
{
    if (const auto* option = Named(m_options, name))
    {
        return option->value;
    }
    if (const auto* constant = Named(m_constants, name))
    {
        return constant->value;
    }
    throw std::logic_error("no option '" + name + "' was declared");
}

bool
Options::Sets(ns3::TypeId type, const std::string& attribute) const
{
    const auto types = WithAncestors(type);
    return std::any_of(types.begin(),
                       types.end(),
                       [&](ns3::TypeId each)
                       { return m_given.count(each.GetName() + "::" + attribute) > 0; });
}

void
Options::Check(const std::string& argument) const
{
    if (!StartsWith(argument, "--"))
    {
        if (argument == "-h")
        {
            return;
        }
        throw UsageError("expected options such as --name=value, got '" + argument + "'");
    }
    const auto equals = argument.find('=');
    const std::string name = argument.substr(2, equals - 2);
    if (IsCallForHelp(name))
    {
        return;
    }
    if (equals == std::string::npos)
    {
        throw UsageError("expected options such as --name=value, got '" + argument + "'");
    }
    const std::string value = argument.substr(equals + 1);
    if (StartsWith(name, "ns3::"))
    {
        return CheckAttribute(name);
    }
    if (FindGlobal(name))
    {
        return CheckGlobal(name, value);
    }
    if (NamesThing(name, m_groups))
    {
        return;
    }
    std::vector<std::string> known = {"RngRun", "RngSeed"};
    for (const auto& option : m_options)
    {
        known.push_back(option.name);
    }
    if (std::find(known.begin(), known.end(), name) == known.end())
    {
        throw UsageError(name, "there is no such option" + DidYouMean(name, known));
    }
}

void
Options::CheckAttribute(const std::string& name) const
{
    if (std::find(m_owned.begin(), m_owned.end(), name) != m_owned.end())
    {
        throw UsageError(name, "the scenario sets this itself, by an option; see --help");
    }
}

} // namespace tcpsweep
