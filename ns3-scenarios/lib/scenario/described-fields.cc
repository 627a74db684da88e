// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/described-fields.h"

#include "options/pattern.h"
#include "options/values.h"
#include "scenario/scenario-options.h"

#include <algorithm>

namespace tcpsweep
{

namespace
{

constexpr uint64_t MOST_MEMBERS = 100000;

} // namespace

std::vector<Option>
Shared(const std::vector<std::string>& names)
{
    const auto all = ScenarioOptions();
    std::vector<Option> found;
    for (const auto& name : names)
    {
        found.push_back(*std::find_if(all.begin(),
                                      all.end(),
                                      [&name](const auto& each) { return each.name == name; }));
    }
    return found;
}

uint64_t
CountOf(const Options& options)
{
    return options.As("count",
                      [](const std::string& text) { return ParseCount(text, 1, MOST_MEMBERS); });
}

std::vector<std::string>
NodesOf(const Options& options, const std::string& name, uint64_t member)
{
    return options.ListAs(name,
                          [member](const std::string& text)
                          {
                              if (text.empty())
                              {
                                  throw BadValue("the name of a node", text);
                              }
                              return FillPattern(text, static_cast<int64_t>(member));
                          });
}

} // namespace tcpsweep
