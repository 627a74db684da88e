// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_COLUMNS_H
#define TCPSWEEP_COLUMNS_H

#include "arrow.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace tcpsweep
{

/// A column that can be passed on through the Arrow C data interface.
class Column
{
  public:
    Column() = default;
    virtual ~Column() = default;
    Column(const Column&) = delete;
    Column& operator=(const Column&) = delete;

    /**
     * @param name the column's name
     * @param[out] schema its type
     * @param[out] array its values, which this column loses
     */
    virtual void HandOver(const char* name, ArrowSchema& schema, ArrowArray& array) = 0;
};

/**
 * Fill in a type and values without children.
 *
 * @param format the type in the interface's letters; a literal
 * @param name the column's name; a literal
 * @param length rows
 * @param nulls rows that are null
 * @param buffers validity, or null, and the values
 * @param[out] schema the type
 * @param[out] array the values
 */
void Export(const char* format,
            const char* name,
            size_t length,
            size_t nulls,
            std::vector<std::shared_ptr<const void>> buffers,
            ArrowSchema& schema,
            ArrowArray& array);

/**
 * Give an exported type and its values children.
 *
 * @param schema the type
 * @param array the values
 * @param count how many children
 */
void AddChildren(ArrowSchema& schema, ArrowArray& array, size_t count);

/// One bit for each row: whether it has a value.
class Validity
{
  public:
    /// @param rows how many rows there can be
    explicit Validity(size_t rows);

    /// @param row a row that has a value
    void
    Set(size_t row)
    {
        m_bits.get()[row / 8] |= static_cast<uint8_t>(1U << (row % 8));
        m_set++;
    }

    /// @return how many rows have a value
    size_t
    Count() const
    {
        return m_set;
    }

    /// @return the bits
    std::shared_ptr<const void>
    Bits() const
    {
        return m_bits;
    }

  private:
    std::shared_ptr<uint8_t[]> m_bits; //!< the bits, the first row's lowest
    size_t m_set{0};                   //!< how many are set
};

/// Seconds in nanoseconds: Arrow's decimal numbers with 18 digits, 9 of them after the point.
using Nanoseconds = __int128;

/// @return the name of a type of number in the Arrow C data interface
template <typename T>
constexpr const char*
Format()
{
    if constexpr (std::is_same_v<T, Nanoseconds>)
    {
        return "d:18,9";
    }
    else if constexpr (std::is_signed_v<T>)
    {
        return sizeof(T) == 8 ? "l" : "i";
    }
    else
    {
        return sizeof(T) == 1 ? "C" : sizeof(T) == 2 ? "S" : "I";
    }
}

/// Numbers with few missing values.
template <typename T>
class Numbers : public Column
{
  public:
    /// @param rows how many rows there can be
    explicit Numbers(size_t rows)
        : m_values(new T[rows]),
          m_rows(rows)
    {
    }

    /// @param value the next row's
    void
    Append(T value)
    {
        m_values.get()[m_size++] = value;
    }

    /// The next row has none.
    void
    AppendMissing()
    {
        m_missing.push_back(m_size);
        Append(0);
    }

    void
    HandOver(const char* name, ArrowSchema& schema, ArrowArray& array) override
    {
        std::shared_ptr<const void> bits;
        if (!m_missing.empty())
        {
            Validity validity(m_rows);
            size_t next = 0;
            for (size_t row = 0; row < m_size; row++)
            {
                if (next < m_missing.size() && m_missing[next] == row)
                {
                    next++;
                }
                else
                {
                    validity.Set(row);
                }
            }
            bits = validity.Bits();
        }
        Export(Format<T>(),
               name,
               m_size,
               m_missing.size(),
               {bits, std::move(m_values)},
               schema,
               array);
    }

  private:
    std::shared_ptr<T[]> m_values; //!< the values, 0 where one is missing
    size_t m_rows;                 //!< how many rows there can be
    size_t m_size{0};              //!< how many there are
    std::vector<size_t> m_missing; //!< the rows without a value
};

/// Numbers, some of them missing.
template <typename T>
class OptionalNumbers : public Column
{
  public:
    /// @param rows how many rows there can be
    explicit OptionalNumbers(size_t rows)
        : m_values(new T[rows]),
          m_validity(rows)
    {
    }

    /// @param value the next row's, if it has one
    template <typename U>
    void
    Append(std::optional<U> value)
    {
        m_values.get()[m_size] = static_cast<T>(value.value_or(0));
        if (value)
        {
            m_validity.Set(m_size);
        }
        m_size++;
    }

    void
    HandOver(const char* name, ArrowSchema& schema, ArrowArray& array) override
    {
        const size_t nulls = m_size - m_validity.Count();
        Export(Format<T>(),
               name,
               m_size,
               nulls,
               {m_validity.Bits(), std::move(m_values)},
               schema,
               array);
    }

  private:
    std::shared_ptr<T[]> m_values; //!< the values, 0 where one is missing
    Validity m_validity;           //!< which rows have a value
    size_t m_size{0};              //!< rows
};

/// Lists of numbers; an empty one counts as missing.
class Lists : public Column
{
  public:
    /// @param rows how many rows there can be
    explicit Lists(size_t rows);

    /**
     * @param first the next row's first number
     * @param count how many numbers it has
     */
    void Append(const uint32_t* first, size_t count);

    void HandOver(const char* name, ArrowSchema& schema, ArrowArray& array) override;

  private:
    std::shared_ptr<int64_t[]> m_offsets;          //!< where a row's numbers begin, and all end
    std::shared_ptr<std::vector<int64_t>> m_items; //!< all rows' numbers
    Validity m_validity;                           //!< which rows have any
    size_t m_size{0};                              //!< rows
};

/**
 * Texts, with few distinct ones in a block. They are passed on as texts, not as numbers with a
 * dictionary: polars would keep every text of every block's dictionary until the process ends.
 */
class Texts : public Column
{
  public:
    /// @param rows how many rows there can be
    explicit Texts(size_t rows)
        : m_codes(new uint32_t[rows])
    {
    }

    /// @param code the number of the next row's text
    void
    Append(uint32_t code)
    {
        m_codes[m_size++] = code;
    }

    /// @param texts the texts that the numbers stand for
    void SetTexts(const std::vector<std::string>& texts);

    void HandOver(const char* name, ArrowSchema& schema, ArrowArray& array) override;

  private:
    /// A text in Arrow's form of a string view: a short text is in the view, a long one in a
    /// buffer.
    struct View
    {
        static constexpr size_t SHORT = 12; //!< the most letters that the view itself holds

        int32_t length;      //!< letters
        char letters[SHORT]; //!< a short text, or four letters, the buffer and the offset
    };

    std::unique_ptr<uint32_t[]> m_codes;    //!< the texts' numbers
    std::vector<View> m_views;              //!< a view of each text
    std::shared_ptr<std::string> m_letters; //!< all texts that are not short
    size_t m_size{0};                       //!< rows
};

} // namespace tcpsweep

#endif // TCPSWEEP_COLUMNS_H
