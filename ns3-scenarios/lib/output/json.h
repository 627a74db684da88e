// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_JSON_H
#define TCPSWEEP_JSON_H

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace tcpsweep
{

/**
 * Writes JSON piece by piece; the caller opens and closes in order.
 *
 * A library would add seconds to each compilation, and a package to each machine that compiles
 * scenarios.
 */
class JsonWriter
{
  public:
    /// @param os the stream to write to
    explicit JsonWriter(std::ostream& os);

    /// @return this, in a new object
    JsonWriter& BeginObject();
    /// @return this, the object ended
    JsonWriter& EndObject();
    /// @return this, in a new array
    JsonWriter& BeginArray();
    /// @return this, the array ended
    JsonWriter& EndArray();

    /**
     * @param key the key of the next value
     * @return this
     */
    JsonWriter& Key(const std::string& key);

    /// @return this, null written
    JsonWriter& Null();

    /**
     * @param value a value
     * @return this
     */
    JsonWriter& Value(const std::string& value);
    JsonWriter& Value(const char* value); //!< @copydoc Value(const std::string&)
    JsonWriter& Value(bool value);        //!< @copydoc Value(const std::string&)
    JsonWriter& Value(uint64_t value);    //!< @copydoc Value(const std::string&)
    JsonWriter& Value(uint32_t value);    //!< @copydoc Value(const std::string&)
    JsonWriter& Value(double value);      //!< @copydoc Value(const std::string&)

    /**
     * @param value a value, or nothing for null
     * @return this
     */
    template <typename T>
    JsonWriter&
    Value(const std::optional<T>& value)
    {
        return value ? Value(*value) : Null();
    }

    /**
     * @param values the values of an array
     * @return this
     */
    template <typename T>
    JsonWriter&
    Value(const std::vector<T>& values)
    {
        BeginArray();
        for (const auto& value : values)
        {
            Value(value);
        }
        return EndArray();
    }

    /**
     * @param key a member's key
     * @param value its value
     * @return this
     */
    template <typename T>
    JsonWriter&
    Member(const std::string& key, const T& value)
    {
        return Key(key).Value(value);
    }

  private:
    /**
     * @param bracket the opening bracket
     * @return this
     */
    JsonWriter& Begin(char bracket);

    /**
     * @param bracket the closing bracket
     * @return this
     */
    JsonWriter& End(char bracket);

    /// Write the separator between the last value and the next.
    void Separate();

    /// @param text the text to write in quotes
    void Quote(const std::string& text);

    std::ostream& m_os;     //!< the stream to write to
    std::size_t m_depth{0}; //!< open brackets
    bool m_first{true};     //!< whether the next value is the first in its brackets
    bool m_afterKey{false}; //!< whether a key was written last
};

} // namespace tcpsweep

#endif // TCPSWEEP_JSON_H
