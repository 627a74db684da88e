// SPDX-License-Identifier: GPL-2.0-only
#include "network/schedule-file.h"

#include "network/text-file.h"
#include "options/text.h"
#include "options/values.h"

#include <functional>
#include <map>
#include <set>

namespace tcpsweep
{

namespace
{

/// Puts a value of a column into a row.
using TakeCell = std::function<void(const std::string& text, LinkChange& row)>;

/// A column.
struct ScheduleColumn
{
    std::string what; //!< time, bandwidth, delay or loss
    TakeCell take;    //!< reads its values
};

/**
 * @param text a cell
 * @return the cell without blanks around it
 */
std::string
WithoutBlanks(const std::string& text)
{
    const auto* const blanks = " \t\r";
    const auto begin = text.find_first_not_of(blanks);
    return begin == std::string::npos
               ? ""
               : text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

/**
 * @param line a line
 * @return its cells
 */
std::vector<std::string>
CellsOf(const std::string& line)
{
    auto cells = Split(line, ',');
    for (auto& cell : cells)
    {
        cell = WithoutBlanks(cell);
    }
    return cells;
}

/// @return all columns that there may be, by name
const std::map<std::string, ScheduleColumn>&
ScheduleColumns()
{
    const auto time = [](const std::string& unit)
    {
        return [unit](const std::string& text, LinkChange& row)
        {
            row.time = ParseTime(text + unit);
        };
    };
    const auto bandwidth = [](const std::string& unit)
    {
        return [unit](const std::string& text, LinkChange& row)
        {
            row.bandwidth = ParseRate(text + unit);
        };
    };
    const auto delay = [](const std::string& unit)
    {
        return [unit](const std::string& text, LinkChange& row)
        {
            row.delay = ParseTime(text + unit);
        };
    };
    static const std::map<std::string, ScheduleColumn> columns = {
        {"time_s", {"time", time("s")}},
        {"time", {"time", time("")}},
        {"bandwidth_bps", {"bandwidth", bandwidth("bps")}},
        {"bandwidth", {"bandwidth", bandwidth("")}},
        {"delay_s", {"delay", delay("s")}},
        {"delay", {"delay", delay("")}},
        {"loss",
         {"loss",
          [](const std::string& text, LinkChange& row) { row.loss = ParseNumber(text, 0, 1); }}},
    };
    return columns;
}

/**
 * @param line the line with the columns' names
 * @return the names
 * @throws BadValue
 */
std::vector<std::string>
ReadHead(const std::string& line)
{
    std::vector<std::string> known;
    for (const auto& [name, unused] : ScheduleColumns())
    {
        known.push_back(name);
    }
    std::set<std::string> there;
    const auto names = CellsOf(line);
    for (const auto& name : names)
    {
        const auto column = ScheduleColumns().find(name);
        if (column == ScheduleColumns().end())
        {
            throw BadValue("unknown column '" + name + "'" + DidYouMean(name, known) +
                           "; the columns are time_s, bandwidth_bps, delay_s and loss");
        }
        if (!there.insert(column->second.what).second)
        {
            throw BadValue("two columns say the " + column->second.what);
        }
    }
    if (there.count("time") == 0)
    {
        throw BadValue("no column time_s");
    }
    if (there.size() == 1)
    {
        throw BadValue("the time is the only column: add bandwidth_bps, delay_s or loss");
    }
    return names;
}

/**
 * @param line a line
 * @param names the columns' names
 * @param before the row before; nullptr at the first
 * @return its row
 * @throws BadValue
 */
LinkChange
ReadRow(const std::string& line, const std::vector<std::string>& names, const LinkChange* before)
{
    const auto cells = CellsOf(line);
    if (cells.size() != names.size())
    {
        throw BadValue("expected " + std::to_string(names.size()) + " values, got " +
                       std::to_string(cells.size()));
    }
    LinkChange row;
    for (std::size_t i = 0; i < cells.size(); ++i)
    {
        const auto& column = ScheduleColumns().at(names[i]);
        if (cells[i].empty() && column.what != "time")
        {
            continue;
        }
        try
        {
            column.take(cells[i], row);
        }
        catch (const BadValue& error)
        {
            throw BadValue(names[i] + ": " + error.what());
        }
    }
    if (before && row.time <= before->time)
    {
        throw BadValue("expected a time after the one before");
    }
    return row;
}

} // namespace

std::vector<LinkChange>
ReadLinkChanges(const std::string& path)
{
    std::vector<std::string> names;
    std::vector<LinkChange> rows;
    uint64_t number = 0;
    for (const auto& line : Split(ReadTextFile(path), '\n'))
    {
        ++number;
        if (WithoutBlanks(line).empty() || line.front() == '#')
        {
            continue;
        }
        try
        {
            if (names.empty())
            {
                names = ReadHead(line);
            }
            else
            {
                rows.push_back(ReadRow(line, names, rows.empty() ? nullptr : &rows.back()));
            }
        }
        catch (const BadValue& error)
        {
            throw BadLine(path, number, error.what());
        }
    }
    if (rows.empty())
    {
        throw BadValue(path + ": a schedule has a line of columns' names and at least one row");
    }
    return rows;
}

} // namespace tcpsweep
