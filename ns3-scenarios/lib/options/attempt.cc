// SPDX-License-Identifier: GPL-2.0-only
#include "options/attempt.h"

#include "options/errors.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <iostream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tcpsweep
{

namespace
{

using Outcomes = std::vector<std::optional<std::string>>;

/**
 * @param what the failed system call
 */
[[noreturn]] void
FailSystem(const std::string& what)
{
    throw std::runtime_error(what + ": " + std::strerror(errno));
}

/// A file without a name.
class ScratchFile
{
  public:
    ScratchFile()
        : m_file(std::tmpfile())
    {
        if (!m_file)
        {
            FailSystem("tmpfile");
        }
    }

    ~ScratchFile()
    {
        std::fclose(m_file);
    }

    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

    /// @return its descriptor
    int
    Descriptor() const
    {
        return fileno(m_file);
    }

    /// @return all that it holds
    std::string
    Content() const
    {
        std::string content(static_cast<std::size_t>(lseek(Descriptor(), 0, SEEK_END)), '\0');
        const ssize_t size = pread(Descriptor(), content.data(), content.size(), 0);
        content.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
        return content;
    }

  private:
    std::FILE* m_file; //!< the stream
};

/**
 * @param descriptor an open file
 * @param text what to write; after a failure to write, the parent misses a line
 */
void
WriteAll(int descriptor, const std::string& text)
{
    for (std::size_t done = 0; done < text.size();)
    {
        const ssize_t written = write(descriptor, text.data() + done, text.size() - done);
        if (written < 0 && errno != EINTR)
        {
            _exit(1);
        }
        done += static_cast<std::size_t>(std::max<ssize_t>(written, 0));
    }
}

/**
 * Make the attempts in the child process, and write a line for each: "+" for a success, "-" and the
 * reason for a failure.
 *
 * @param first number of the first attempt
 * @param count number after the last attempt's
 * @param attempt the attempts
 * @param lines receives the lines
 * @param errors receives ns-3's messages
 */
[[noreturn]] void
RunChild(std::size_t first,
         std::size_t count,
         const std::function<void(std::size_t)>& attempt,
         int lines,
         int errors)
{
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    dup2(errors, STDERR_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    for (std::size_t i = first; i < count; ++i)
    {
        std::string line = "+";
        try
        {
            attempt(i);
        }
        catch (const std::exception& error)
        {
            line = std::string("-") + error.what();
            std::replace(line.begin(), line.end(), '\n', ' ');
        }
        WriteAll(lines, line + "\n");
        if (ftruncate(errors, 0) || lseek(errors, 0, SEEK_SET))
        {
            break;
        }
    }
    _exit(0);
}

/**
 * @param said the standard error of a process that ended itself
 * @return the message in it: ns-3 writes msg="...", file=...
 */
std::string
Reason(const std::string& said)
{
    const std::string mark = "msg=\"";
    const auto begin = said.find(mark);
    const auto end = said.find("\", file=", begin);
    if (begin != std::string::npos && end != std::string::npos)
    {
        return said.substr(begin + mark.size(), end - begin - mark.size());
    }
    const auto line = said.substr(0, said.find('\n'));
    return line.empty() ? "ns-3 ended the process" : line;
}

/**
 * Run one child process and add the outcome of each attempt that it reached.
 *
 * @param[in,out] outcomes outcomes so far
 * @param count the number of attempts
 * @param attempt the attempts
 */
void
AddOutcomes(Outcomes& outcomes, std::size_t count, const std::function<void(std::size_t)>& attempt)
{
    const ScratchFile errors;
    int ends[2];
    if (pipe(ends))
    {
        FailSystem("pipe");
    }
    std::cout.flush();
    std::cerr.flush();
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0)
    {
        FailSystem("fork");
    }
    if (child == 0)
    {
        close(ends[0]);
        RunChild(outcomes.size(), count, attempt, ends[1], errors.Descriptor());
    }
    close(ends[1]);
    std::FILE* lines = fdopen(ends[0], "r");
    char* line = nullptr;
    std::size_t capacity = 0;
    for (ssize_t length; (length = getline(&line, &capacity, lines)) > 0;)
    {
        const std::string text(line, static_cast<std::size_t>(length - 1));
        outcomes.push_back(text[0] == '+' ? std::nullopt : std::optional(text.substr(1)));
    }
    std::free(line);
    std::fclose(lines);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    {
    }
    if (outcomes.size() < count)
    {
        outcomes.emplace_back(Reason(errors.Content()));
    }
}

} // namespace

std::optional<std::string>
Attempt(const std::function<void()>& attempt)
{
    return AttemptAll(1, [&attempt](std::size_t) { attempt(); }).front();
}

std::vector<std::optional<std::string>>
AttemptAll(std::size_t count, const std::function<void(std::size_t)>& attempt)
{
    Outcomes outcomes;
    while (outcomes.size() < count)
    {
        AddOutcomes(outcomes, count, attempt);
    }
    return outcomes;
}

} // namespace tcpsweep
