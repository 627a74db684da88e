// SPDX-License-Identifier: GPL-2.0-only
#include "output/json.h"

#include <charconv>
#include <cmath>

namespace tcpsweep
{

JsonWriter::JsonWriter(std::ostream& os)
    : m_os(os)
{
}

JsonWriter&
JsonWriter::BeginObject()
{
    return Begin('{');
}

JsonWriter&
JsonWriter::EndObject()
{
    return End('}');
}

JsonWriter&
JsonWriter::BeginArray()
{
    return Begin('[');
}

JsonWriter&
JsonWriter::EndArray()
{
    return End(']');
}

JsonWriter&
JsonWriter::Key(const std::string& key)
{
    Separate();
    Quote(key);
    m_os << ": ";
    m_afterKey = true;
    return *this;
}

JsonWriter&
JsonWriter::Null()
{
    Separate();
    m_os << "null";
    return *this;
}

JsonWriter&
JsonWriter::Value(const std::string& value)
{
    Separate();
    Quote(value);
    return *this;
}

JsonWriter&
JsonWriter::Value(const char* value)
{
    return Value(std::string(value));
}

JsonWriter&
JsonWriter::Value(bool value)
{
    Separate();
    m_os << (value ? "true" : "false");
    return *this;
}

JsonWriter&
JsonWriter::Value(uint64_t value)
{
    Separate();
    m_os << value;
    return *this;
}

JsonWriter&
JsonWriter::Value(uint32_t value)
{
    return Value(uint64_t{value});
}

JsonWriter&
JsonWriter::Value(double value)
{
    if (!std::isfinite(value))
    {
        return Null();
    }
    Separate();
    char text[32];
    m_os.write(text, std::to_chars(text, text + sizeof text, value).ptr - text);
    return *this;
}

JsonWriter&
JsonWriter::Begin(char bracket)
{
    Separate();
    m_os << bracket;
    ++m_depth;
    m_first = true;
    return *this;
}

JsonWriter&
JsonWriter::End(char bracket)
{
    --m_depth;
    if (!m_first)
    {
        m_os << '\n' << std::string(m_depth, ' ');
    }
    m_os << bracket;
    m_first = false;
    if (m_depth == 0)
    {
        m_os << '\n';
    }
    return *this;
}

void
JsonWriter::Separate()
{
    if (!m_afterKey && m_depth > 0)
    {
        m_os << (m_first ? "\n" : ",\n") << std::string(m_depth, ' ');
    }
    m_first = false;
    m_afterKey = false;
}

void
JsonWriter::Quote(const std::string& text)
{
    static const char* const digits = "0123456789abcdef";
    m_os << '"';
    for (const char letter : text)
    {
        const auto code = static_cast<unsigned char>(letter);
        if (letter == '"' || letter == '\\')
        {
            m_os << '\\' << letter;
        }
        else if (code < 0x20)
        {
            m_os << "\\u00" << digits[code / 16] << digits[code % 16];
        }
        else
        {
            m_os << letter;
        }
    }
    m_os << '"';
}

} // namespace tcpsweep
