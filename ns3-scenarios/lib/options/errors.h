// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_ERRORS_H
#define TCPSWEEP_ERRORS_H

#include <stdexcept>
#include <string>

/// What the scenarios share.
namespace tcpsweep
{

/// A text that is not a value of its kind; the message has the expected form and the text.
class BadValue : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;

    /**
     * @param expected the expected form, with an example
     * @param text the text that was found
     */
    BadValue(const std::string& expected, const std::string& text)
        : std::runtime_error("expected " + expected + ", got '" + text + "'")
    {
    }
};

/// A command line that cannot be run; the user reads the message.
class UsageError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;

    /**
     * @param option name of the option at fault
     * @param problem the problem with it
     */
    UsageError(const std::string& option, const std::string& problem)
        : std::runtime_error("--" + option + ": " + problem)
    {
    }
};

/// An output file that cannot be written, for example because the disk is full.
class OutputError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

} // namespace tcpsweep

#endif // TCPSWEEP_ERRORS_H
