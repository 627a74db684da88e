// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_SERIES_FILE_H
#define TCPSWEEP_SERIES_FILE_H

#include "output/output-file.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tcpsweep
{

/// The rows of a file's series that are not in the file yet.
struct WaitingRows
{
    /// Few enough to stay in a processor's cache, and many enough for long columns in a block.
    static constexpr std::size_t MOST = 1 << 16;

    std::size_t count{0};        //!< how many there are
    std::function<void()> write; //!< writes them
};

/// Rows of one series that are not in its file yet, a column each.
template <typename... Columns>
class Series
{
  public:
    /**
     * @param name its name
     * @param waiting the waiting rows in all series of the file
     */
    Series(std::string name, WaitingRows& waiting)
        : m_name(std::move(name)),
          m_waiting(waiting)
    {
    }

    /**
     * Add a row at the simulated time.
     *
     * @param values the row's
     * @throws OutputError
     */
    void
    Add(Columns... values)
    {
        m_times.push_back(ns3::Simulator::Now().GetNanoSeconds());
        Put(std::index_sequence_for<Columns...>(), values...);
        ++m_rows;
        if (++m_waiting.count == WaitingRows::MOST)
        {
            m_waiting.write();
        }
    }

    /// @return its name
    const std::string&
    Name() const
    {
        return m_name;
    }

    /// @return all rows so far
    uint64_t
    Rows() const
    {
        return m_rows;
    }

    /// @return the times of the waiting rows, in nanoseconds
    const std::vector<int64_t>&
    Times() const
    {
        return m_times;
    }

    /// @return a column of the waiting rows
    template <std::size_t I>
    const auto&
    Column() const
    {
        return std::get<I>(m_columns);
    }

    /// Forget the waiting rows.
    void
    Clear()
    {
        m_times.clear();
        std::apply([](auto&... columns) { (columns.clear(), ...); }, m_columns);
    }

  private:
    /// @param values a row's
    template <std::size_t... I>
    void
    Put(std::index_sequence<I...>, Columns... values)
    {
        (std::get<I>(m_columns).push_back(values), ...);
    }

    std::string m_name;                            //!< its name
    WaitingRows& m_waiting;                        //!< the waiting rows in all series
    uint64_t m_rows{0};                            //!< all rows so far
    std::vector<int64_t> m_times;                  //!< their times, in nanoseconds
    std::tuple<std::vector<Columns>...> m_columns; //!< their other columns
};

/**
 * A file of several series that have the same columns, in blocks. A block begins with the number of
 * rows of each series, as 32-bit numbers. The columns follow: first the times in nanoseconds, then
 * the other columns. In each column, the rows are sorted by series.
 * Zeros fill up the numbers of rows, and the block, to a multiple of 8 bytes. All is little-endian.
 * List the columns in descending order of width, so that each value is at a multiple of its size.
 *
 * Formatting tens of millions of rows as text, and reading that again, took a third of the time
 * between two simulations.
 */
template <typename... Columns>
class SeriesFile
{
  public:
    using Rows = Series<Columns...>;
    using Visit = std::function<void(const std::vector<Rows>&)>;

    /**
     * @param path where to create it
     * @param names the series
     * @param visit called with the series before their rows are written and forgotten
     * @throws OutputError
     */
    SeriesFile(const std::filesystem::path& path,
               const std::vector<std::string>& names,
               Visit visit)
        : m_file(path),
          m_visit(std::move(visit))
    {
        m_waiting.write = [this]
        {
            WriteBlock();
        };
        m_series.reserve(names.size()); // they are pointed to
        for (const auto& name : names)
        {
            m_series.emplace_back(name, m_waiting);
        }
    }

    /**
     * @param name a series' name
     * @return it; nullptr if the file has no such series
     */
    Rows*
    Find(const std::string& name)
    {
        const auto found = std::find_if(m_series.begin(),
                                        m_series.end(),
                                        [&name](const Rows& rows) { return rows.Name() == name; });
        return found == m_series.end() ? nullptr : &*found;
    }

    /// @return all series
    const std::vector<Rows>&
    All() const
    {
        return m_series;
    }

    /**
     * Write the remaining rows and close the file.
     *
     * @param checksums gets the file's
     * @throws OutputError
     */
    void
    Close(Checksums& checksums)
    {
        WriteBlock();
        m_file.Close();
        checksums.Add(m_file);
    }

  private:
    /// All columns of a block begin at multiples of this.
    static constexpr std::size_t ALIGNMENT = 8;

    /// Write the waiting rows.
    void
    WriteBlock()
    {
        if (m_waiting.count == 0)
        {
            return;
        }
        m_visit(m_series);
        for (const auto& series : m_series)
        {
            const auto rows = static_cast<uint32_t>(series.Times().size());
            m_file.Write(&rows, sizeof rows);
        }
        Fill();
        for (const auto& series : m_series)
        {
            Write(series.Times());
        }
        WriteColumns(std::index_sequence_for<Columns...>());
        Fill();
        for (auto& series : m_series)
        {
            series.Clear();
        }
        m_waiting.count = 0;
    }

    /// @param values the values to write
    template <typename Value>
    void
    Write(const std::vector<Value>& values)
    {
        m_file.Write(values.data(), values.size() * sizeof(Value));
    }

    /// Write all columns but the times.
    template <std::size_t... I>
    void
    WriteColumns(std::index_sequence<I...>)
    {
        (WriteColumn<I>(), ...);
    }

    /// Write one column of all series.
    template <std::size_t I>
    void
    WriteColumn()
    {
        for (const auto& series : m_series)
        {
            Write(series.template Column<I>());
        }
    }

    /// Write zeros up to a multiple of ALIGNMENT.
    void
    Fill()
    {
        const char zeros[ALIGNMENT] = {};
        m_file.Write(zeros, (ALIGNMENT - m_file.Bytes() % ALIGNMENT) % ALIGNMENT);
    }

    OutputFile m_file;          //!< the file
    Visit m_visit;              //!< called before rows are written
    WaitingRows m_waiting;      //!< rows that are not in the file yet
    std::vector<Rows> m_series; //!< the series
};

} // namespace tcpsweep

#endif // TCPSWEEP_SERIES_FILE_H
