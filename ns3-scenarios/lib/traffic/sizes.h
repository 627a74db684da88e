// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_SIZES_H
#define TCPSWEEP_SIZES_H

#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <vector>

namespace tcpsweep
{

/**
 * A distribution of sizes in bytes, by the inverse of its cumulative distribution: a size is
 * rounded to whole bytes, and is at least 1.
 */
class Sizes
{
  public:
    /// A point of a cumulative distribution: the share of sizes that are at most so large.
    struct Point
    {
        double bytes; //!< the size
        double share; //!< the share, from 0 to 1
    };

    /**
     * @param text `constant:BYTES`, `exponential:MEAN`, `pareto:MEAN:SHAPE` with a shape above 1
     * (F(x) = 1 - (x0 / x)^SHAPE from x0 = MEAN (SHAPE - 1) / SHAPE on),
     * `lognormal:MEAN:DEVIATION:LEAST:MOST`, whose mean and deviation are those before it is cut to
     * the range, or a file that ReadTable() reads
     * @return the distribution
     * @throws BadValue
     */
    static Sizes Parse(const std::string& text);

    /**
     * Read a table of the cumulative distribution, as data-centre papers publish them: a line for
     * each point, its bytes and the percentage of sizes up to it, in rising order, the last 100.
     * If the last is 1, all are shares instead. Between two points, the share rises linearly; what
     * the first point has lies at its size. A `#` begins a comment.
     *
     * @param lines the table
     * @param name its name in messages
     * @return the distribution
     * @throws BadValue with the line at fault
     */
    static Sizes ReadTable(std::istream& lines, const std::string& name);

    /// @return the mean, before rounding to whole bytes
    double
    Mean() const
    {
        return m_mean;
    }

    /**
     * @param share a number from 0 to 1, below 1
     * @return the size that this share of all sizes is not above
     */
    uint64_t At(double share) const;

  private:
    /**
     * @param mean the mean
     * @param inverse the inverse of the cumulative distribution
     */
    Sizes(double mean, std::function<double(double)> inverse);

    /**
     * @param points a table that was checked
     * @return the distribution
     */
    static Sizes Between(std::vector<Point> points);

    double m_mean;                           //!< the mean
    std::function<double(double)> m_inverse; //!< the size at a share
};

} // namespace tcpsweep

#endif // TCPSWEEP_SIZES_H
