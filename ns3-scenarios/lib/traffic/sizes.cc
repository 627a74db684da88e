// SPDX-License-Identifier: GPL-2.0-only
#include "traffic/sizes.h"

#include "options/errors.h"
#include "options/text.h"
#include "options/values.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <utility>

namespace tcpsweep
{

namespace
{

/// Large enough that no flow ends, and small enough that whole bytes are exact.
constexpr double LARGEST_SIZE = 1e15;
/// The word for distributions with a formula, and how they are written.
const char* const FORMULAS = "constant:BYTES, exponential:MEAN, pareto:MEAN:SHAPE, "
                             "lognormal:MEAN:DEVIATION:LEAST:MOST or a file";

/// A point of a table, and its line.
struct NumberedPoint
{
    Sizes::Point point; //!< the point, its share as in the file
    std::size_t line;   //!< the line, counted from 1
};

/**
 * @param name the file
 * @param line the line
 * @param problem the problem there
 * @return the error
 */
BadValue
BadLine(const std::string& name, std::size_t line, const std::string& problem)
{
    return BadValue(name + ", line " + std::to_string(line) + ": " + problem);
}

/**
 * @param lines a table
 * @param name the file
 * @return its points, in rising order
 */
std::vector<NumberedPoint>
ReadPoints(std::istream& lines, const std::string& name)
{
    std::vector<NumberedPoint> points;
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);)
    {
        ++number;
        std::istringstream fields(line.substr(0, line.find('#')));
        std::vector<std::string> words;
        for (std::string word; fields >> word;)
        {
            words.push_back(word);
        }
        if (words.empty())
        {
            continue;
        }
        if (words.size() != 2)
        {
            throw BadLine(name, number, "expected BYTES PERCENT, got '" + line + "'");
        }
        Sizes::Point point{};
        try
        {
            point = {ParseNumber(words[0], 0, LARGEST_SIZE), ParseNumber(words[1], 0, 100)};
        }
        catch (const BadValue& error)
        {
            throw BadLine(name, number, error.what());
        }
        if (!points.empty())
        {
            const auto& before = points.back().point;
            const bool bytesFall = point.bytes < before.bytes;
            if (bytesFall || point.share < before.share)
            {
                throw BadLine(name,
                              number,
                              (bytesFall ? words[0] + " bytes come" : words[1] + " percent come") +
                                  std::string(" after more; expected sizes and percentages that "
                                              "rise from line to line"));
            }
        }
        points.push_back({point, number});
    }
    if (points.empty())
    {
        throw BadLine(name, number + 1, "expected lines of BYTES PERCENT, found none");
    }
    return points;
}

/**
 * @param text a number of bytes
 * @return the bytes
 */
double
ParseMean(const std::string& text)
{
    const auto bytes = static_cast<double>(ParseBytes(text));
    if (bytes > LARGEST_SIZE)
    {
        throw BadValue("at most 1e15 bytes", text);
    }
    return bytes;
}

/**
 * @param x a number
 * @return the share of the standard normal distribution below it
 */
double
NormalShare(double x)
{
    return std::erfc(-x / std::sqrt(2)) / 2;
}

/**
 * Bisection, because the share increases with the number. It takes 60 steps, and is called a few
 * times per transfer.
 *
 * @param share a share of the standard normal distribution
 * @return the number below which the share is
 */
double
NormalQuantile(double share)
{
    double low = -40;
    double high = 40;
    while (high - low > 1e-12)
    {
        const double middle = (low + high) / 2;
        (NormalShare(middle) < share ? low : high) = middle;
    }
    return (low + high) / 2;
}

/// A lognormal distribution that is cut to a range.
struct CutLognormal
{
    double mu;        //!< mean of the logarithm
    double sigma;     //!< its deviation
    double lowShare;  //!< the share below the range
    double highShare; //!< the share below the range's end
    double mean;      //!< mean within the range

    /**
     * @param mean mean before it is cut
     * @param deviation deviation before it is cut
     * @param least where the range begins
     * @param most where it ends
     */
    CutLognormal(double mean, double deviation, double least, double most)
        : mu(std::log(mean * mean / std::hypot(mean, deviation))),
          sigma(std::sqrt(std::log1p(deviation * deviation / (mean * mean)))),
          lowShare(NormalShare((std::log(least) - mu) / sigma)),
          highShare(NormalShare((std::log(most) - mu) / sigma)),
          mean(mean *
               (NormalShare((std::log(most) - mu) / sigma - sigma) -
                NormalShare((std::log(least) - mu) / sigma - sigma)) /
               (highShare - lowShare))
    {
    }

    /// @return the size at a share
    double
    operator()(double share) const
    {
        return std::exp(mu + sigma * NormalQuantile(lowShare + share * (highShare - lowShare)));
    }
};

} // namespace

Sizes::Sizes(double mean, std::function<double(double)> inverse)
    : m_mean(mean),
      m_inverse(std::move(inverse))
{
}

Sizes
Sizes::Parse(const std::string& text)
{
    const auto parts = Split(text, ':');
    const auto is = [&parts](const char* name, std::size_t size)
    {
        return parts[0] == name && parts.size() == size;
    };
    if (is("constant", 2))
    {
        const double bytes = ParseMean(parts[1]);
        return {bytes, [bytes](double) { return bytes; }};
    }
    if (is("exponential", 2))
    {
        const double mean = ParseMean(parts[1]);
        return {mean, [mean](double share) { return -mean * std::log1p(-share); }};
    }
    if (is("pareto", 3))
    {
        const double mean = ParseMean(parts[1]);
        const double shape = ParseNumber(parts[2], 1.01, 100);
        const double least = mean * (shape - 1) / shape;
        return {mean,
                [least, shape](double share) { return least * std::pow(1 - share, -1 / shape); }};
    }
    if (is("lognormal", 5))
    {
        const double least = ParseMean(parts[3]);
        const double most = ParseMean(parts[4]);
        if (least >= most)
        {
            throw BadValue("a range of sizes whose end is above its beginning", text);
        }
        const CutLognormal cut(ParseMean(parts[1]), ParseMean(parts[2]), least, most);
        return {cut.mean, cut};
    }
    std::ifstream file(text);
    if (text.empty() || !file)
    {
        throw BadValue(FORMULAS, text);
    }
    return ReadTable(file, text);
}

Sizes
Sizes::ReadTable(std::istream& lines, const std::string& name)
{
    const auto read = ReadPoints(lines, name);
    const auto& [last, line] = read.back();
    if (last.share != 1 && last.share != 100)
    {
        std::ostringstream problem;
        problem << "the last line has " << last.share
                << "; expected 100 percent there, or 1 if all are shares";
        throw BadLine(name, line, problem.str());
    }
    if (last.bytes == 0)
    {
        throw BadLine(name, line, "all sizes are 0; expected some bytes");
    }
    std::vector<Point> points;
    for (const auto& each : read)
    {
        points.push_back({each.point.bytes, each.point.share / last.share});
    }
    return Between(std::move(points));
}

Sizes
Sizes::Between(std::vector<Point> points)
{
    double mean = points.front().bytes * points.front().share;
    for (std::size_t i = 1; i < points.size(); ++i)
    {
        mean +=
            (points[i].share - points[i - 1].share) * (points[i].bytes + points[i - 1].bytes) / 2;
    }
    return {mean,
            [points = std::move(points)](double share)
            {
                const auto above = std::upper_bound(points.begin(),
                                                    points.end(),
                                                    share,
                                                    [](double wanted, const Point& point)
                                                    { return wanted < point.share; });
                if (above == points.begin() || above == points.end())
                {
                    return above == points.end() ? points.back().bytes : above->bytes;
                }
                const auto& below = *(above - 1);
                return below.bytes + (above->bytes - below.bytes) * (share - below.share) /
                                         (above->share - below.share);
            }};
}

uint64_t
Sizes::At(double share) const
{
    return static_cast<uint64_t>(std::clamp(std::round(m_inverse(share)), 1.0, LARGEST_SIZE));
}

} // namespace tcpsweep
