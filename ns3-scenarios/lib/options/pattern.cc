// SPDX-License-Identifier: GPL-2.0-only
#include "options/pattern.h"

#include "options/errors.h"

#include <cctype>
#include <cstddef>

namespace tcpsweep
{

namespace
{

constexpr int64_t LARGEST = 1000000000;

/// Reads an expression of whole numbers, by recursive descent.
class Expression
{
  public:
    /**
     * @param text the expression
     * @param i the value of i
     */
    Expression(const std::string& text, int64_t i)
        : m_text(text),
          m_i(i)
    {
    }

    /// @return its value
    int64_t
    Value()
    {
        const int64_t value = Sum();
        if (Next() != '\0' || value < 0)
        {
            Refuse();
        }
        return value;
    }

  private:
    /// @return the value of terms with + and - between
    int64_t
    Sum()
    {
        int64_t value = Product();
        for (char sign = Next(); sign == '+' || sign == '-'; sign = Next())
        {
            ++m_place;
            const int64_t term = Product();
            value = Bounded(sign == '+' ? value + term : value - term);
        }
        return value;
    }

    /// @return the value of factors with *, / and % between
    int64_t
    Product()
    {
        int64_t value = Factor();
        for (char sign = Next(); sign == '*' || sign == '/' || sign == '%'; sign = Next())
        {
            ++m_place;
            const int64_t factor = Factor();
            if (sign != '*' && factor <= 0)
            {
                Refuse();
            }
            value = Bounded(sign == '*'   ? value * factor
                            : sign == '/' ? Floor(value, factor)
                                          : value - factor * Floor(value, factor));
        }
        return value;
    }

    /// @return the value of a number, of i, or of an expression in parentheses
    int64_t
    Factor()
    {
        const char first = Next();
        if (first == '(')
        {
            ++m_place;
            const int64_t value = Sum();
            if (Next() != ')')
            {
                Refuse();
            }
            ++m_place;
            return value;
        }
        if (first == 'i')
        {
            ++m_place;
            return m_i;
        }
        if (!std::isdigit(static_cast<unsigned char>(first)))
        {
            Refuse();
        }
        int64_t value = 0;
        for (; std::isdigit(static_cast<unsigned char>(Here())); ++m_place)
        {
            value = Bounded(10 * value + (Here() - '0'));
        }
        return value;
    }

    /**
     * @param value a number
     * @param by another, above 0
     * @return their quotient, rounded down
     */
    static int64_t
    Floor(int64_t value, int64_t by)
    {
        return value / by - (value % by < 0 ? 1 : 0);
    }

    /// @return the character here; 0 at the end
    char
    Here() const
    {
        return m_place < m_text.size() ? m_text[m_place] : '\0';
    }

    /// @return the next character that is no blank; 0 at the end
    char
    Next()
    {
        while (Here() == ' ')
        {
            ++m_place;
        }
        return Here();
    }

    /**
     * @param value a number
     * @return the number
     */
    int64_t
    Bounded(int64_t value) const
    {
        if (value < -LARGEST || value > LARGEST)
        {
            Refuse();
        }
        return value;
    }

    /// Say that the expression cannot be used.
    [[noreturn]] void
    Refuse() const
    {
        throw BadValue("whole numbers, i, + - * / % and parentheses between braces, and a number "
                       "from 0 as their value",
                       m_text);
    }

    std::string m_text;     //!< the expression
    int64_t m_i;            //!< the value of i
    std::size_t m_place{0}; //!< the position of the next character
};

} // namespace

std::string
FillPattern(const std::string& pattern, int64_t i)
{
    std::string name;
    std::size_t place = 0;
    for (auto open = pattern.find('{'); open != std::string::npos; open = pattern.find('{', place))
    {
        const auto close = pattern.find('}', open);
        if (close == std::string::npos)
        {
            throw BadValue("a } for each {", pattern);
        }
        name += pattern.substr(place, open - place);
        name += std::to_string(Expression(pattern.substr(open + 1, close - open - 1), i).Value());
        place = close + 1;
    }
    return name + pattern.substr(place);
}

} // namespace tcpsweep
