// SPDX-License-Identifier: GPL-2.0-only
#include "options/text.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>

namespace tcpsweep
{

namespace
{

/**
 * Levenshtein's distance, ignoring case, because wrong case is the smallest mistake.
 *
 * @param a a text
 * @param b another
 * @return the number of letters to insert, delete or replace to turn one into the other
 */
std::size_t
EditDistance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (const unsigned char letter : a)
    {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 1; j < row.size(); ++j)
        {
            const bool same =
                std::tolower(letter) == std::tolower(static_cast<unsigned char>(b[j - 1]));
            const std::size_t replaced = diagonal + (same ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row.back();
}

} // namespace

std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find(separator, begin)) != std::string::npos; begin = end + 1)
    {
        parts.push_back(text.substr(begin, end - begin));
    }
    parts.push_back(text.substr(begin));
    return parts;
}

std::string
Join(const std::vector<std::string>& parts, const std::string& separator)
{
    std::string joined;
    for (const auto& part : parts)
    {
        joined += (&part == &parts.front() ? "" : separator) + part;
    }
    return joined;
}

bool
StartsWith(const std::string& text, const std::string& prefix)
{
    return text.compare(0, prefix.size(), prefix) == 0;
}

std::string
DidYouMean(const std::string& text, const std::vector<std::string>& known)
{
    const std::string* nearest = nullptr;
    std::size_t least = text.size() / 3 + 2;
    for (const auto& candidate : known)
    {
        const std::size_t distance = EditDistance(text, candidate);
        if (distance < least)
        {
            least = distance;
            nearest = &candidate;
        }
    }
    return nearest ? "; did you mean '" + *nearest + "'?" : "";
}

} // namespace tcpsweep
