// SPDX-License-Identifier: GPL-2.0-only
#include "options/values.h"

#include "options/errors.h"
#include "options/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>
#include <system_error>
#include <utility>

namespace tcpsweep
{

namespace
{

/// 2^53: every whole number below it is a double.
constexpr double EXACT = 9007199254740992.0;

/**
 * @tparam T type of the number
 * @param text a text
 * @param[out] number the number that it begins with
 * @return the end of the number; nullptr if there is none
 */
template <typename T>
const char*
ReadNumber(const std::string& text, T& number)
{
    const char* begin = text.data();
    const bool digits = !text.empty() && (*begin == '.' || (*begin >= '0' && *begin <= '9'));
    const auto [end, error] = std::from_chars(begin, begin + text.size(), number);
    // from_chars would take a sign, inf and nan as well.
    return digits && error == std::errc() ? end : nullptr;
}

/**
 * @param text a text
 * @param units the units that it may have, by name
 * @param[out] value the number in base units
 * @return whether the text is a number with one of the units
 */
bool
ReadIn(const std::string& text, const std::map<std::string, double>& units, double& value)
{
    std::string unit;
    if (!ReadQuantity(text, value, unit) || units.count(unit) == 0)
    {
        return false;
    }
    value *= units.at(unit);
    return true;
}

/**
 * @param value a number
 * @return the whole number that it is, up to the rounding of a decimal fraction; else a negative
 * number
 */
double
Whole(double value)
{
    const double whole = std::round(value);
    return value < EXACT && std::abs(value - whole) <= 1e-9 * (1 + value) ? whole : -1;
}

} // namespace

bool
ReadQuantity(const std::string& text, double& number, std::string& unit)
{
    const char* end = ReadNumber(text, number);
    if (end)
    {
        unit = text.substr(static_cast<std::size_t>(end - text.data()));
    }
    return end != nullptr;
}

double
ParseNumber(const std::string& text, double least, double most)
{
    double number = 0;
    const char* end = ReadNumber(text, number);
    if (end != text.data() + text.size() || number < least || number > most)
    {
        char range[96];
        std::snprintf(range, sizeof range, "a number from %g to %g", least, most);
        throw BadValue(range, text);
    }
    return number;
}

uint64_t
ParseCount(const std::string& text, uint64_t least, uint64_t most)
{
    uint64_t number = 0;
    const char* end = ReadNumber(text, number);
    if (end != text.data() + text.size() || number < least || number > most)
    {
        throw BadValue("a whole number from " + std::to_string(least) + " to " +
                           std::to_string(most),
                       text);
    }
    return number;
}

bool
ParseFlag(const std::string& text)
{
    if (text != "true" && text != "false")
    {
        throw BadValue("true or false", text);
    }
    return text == "true";
}

std::string
ParseWord(const std::string& text, const std::vector<std::string>& words)
{
    if (std::find(words.begin(), words.end(), text) == words.end())
    {
        throw BadValue(Join(words, " or "), text);
    }
    return text;
}

ns3::DataRate
ParseRate(const std::string& text)
{
    static const std::map<std::string, double> units = []
    {
        const std::map<std::string, double> decimal = {
            {"", 1},
            {"k", 1e3},
            {"K", 1e3},
            {"M", 1e6},
            {"G", 1e9},
        };
        const std::map<std::string, double> binary = {
            {"Ki", 1 << 10},
            {"Mi", 1 << 20},
            {"Gi", 1 << 30},
        };
        std::map<std::string, double> all;
        for (const auto& [letter, bits] : {std::pair{"b", 1}, std::pair{"B", 8}})
        {
            for (const auto& [prefix, factor] : decimal)
            {
                all[prefix + letter + "ps"] = all[prefix + letter + "/s"] = factor * bits;
            }
            for (const auto& [prefix, factor] : binary)
            {
                all[prefix + letter + "/s"] = factor * bits;
            }
        }
        return all;
    }();
    double rate = 0;
    if (!ReadIn(text, units, rate) || Whole(rate) < 1)
    {
        throw BadValue("a data rate such as 10Mbps", text);
    }
    return ns3::DataRate(static_cast<uint64_t>(Whole(rate)));
}

ns3::Time
ParseTime(const std::string& text)
{
    static const std::map<std::string, double> units = {
        {"h", 3600e9},
        {"min", 60e9},
        {"s", 1e9},
        {"ms", 1e6},
        {"us", 1e3},
        {"ns", 1},
    };
    double nanoseconds = 0;
    if (!ReadIn(text, units, nanoseconds) || Whole(nanoseconds) < 0)
    {
        throw BadValue("a time such as 20ms, in whole nanoseconds", text);
    }
    return ns3::NanoSeconds(static_cast<uint64_t>(Whole(nanoseconds)));
}

ns3::Time
ParseDuration(const std::string& text)
{
    const ns3::Time time = ParseTime(text);
    if (time.IsZero())
    {
        throw BadValue("a time above zero, such as 60s", text);
    }
    return time;
}

uint64_t
BytesPerUnit(const std::string& unit)
{
    static const std::map<std::string, uint64_t> units = {
        {"B", 1},
        {"kB", 1000},
        {"KB", 1000},
        {"MB", 1000000},
        {"GB", 1000000000},
        {"KiB", 1 << 10},
        {"MiB", 1 << 20},
        {"GiB", 1 << 30},
    };
    const auto found = units.find(unit);
    return found == units.end() ? 0 : found->second;
}

uint64_t
ParseBytes(const std::string& text)
{
    double number = 0;
    std::string unit;
    const bool read = ReadQuantity(text, number, unit);
    const double bytes = number * static_cast<double>(unit.empty() ? 1 : BytesPerUnit(unit));
    if (!read || Whole(bytes) < 1)
    {
        throw BadValue("a number of bytes such as 65536 or 4MiB", text);
    }
    return static_cast<uint64_t>(Whole(bytes));
}

} // namespace tcpsweep
