// SPDX-License-Identifier: GPL-2.0-only
#include "options/serve.h"

#include <ns3/rng-stream.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace tcpsweep
{

namespace
{

const char* const OPTION = "--serve";
/// The status of a process that could not begin.
constexpr int CANNOT_BEGIN = 1;

/**
 * @param[out] data the buffer to fill
 * @param size the number of bytes to read from the standard input
 * @return whether they could be read
 */
bool
ReadAll(void* data, std::size_t size)
{
    for (auto* next = static_cast<char*>(data); size > 0;)
    {
        const ssize_t got = read(STDIN_FILENO, next, size);
        if (got == 0 || (got < 0 && errno != EINTR))
        {
            return false;
        }
        const auto done = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
        next += done;
        size -= done;
    }
    return true;
}

/**
 * @param[out] request gets the next request's texts, each with its null byte
 * @return whether there was one
 */
bool
ReadRequest(std::vector<char>& request)
{
    uint32_t size = 0;
    if (!ReadAll(&size, sizeof size))
    {
        return false;
    }
    request.assign(size, '\0');
    return size > 0 && ReadAll(request.data(), size) && request.back() == '\0';
}

/**
 * @param answers the file to write to
 * @param line a line, short enough to be written at once
 * @return whether it could be written
 */
bool
Answer(int answers, const std::string& line)
{
    const std::string text = line + "\n";
    return write(answers, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

/**
 * Serve a request in a process that was forked for it.
 *
 * @param server the process that it was forked from
 * @param request the request
 * @param run as for Serve()
 */
[[noreturn]] void
ServeRequest(pid_t server, std::vector<char>& request, const std::function<int(int, char**)>& run)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != server)
    {
        _exit(CANNOT_BEGIN);
    }
    std::vector<char*> texts;
    for (std::size_t at = 0; at < request.size(); at += std::strlen(&request[at]) + 1)
    {
        texts.push_back(&request[at]);
    }
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int said = open(texts.front(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (nothing < 0 || said < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
        dup2(said, STDOUT_FILENO) < 0 || dup2(said, STDERR_FILENO) < 0)
    {
        _exit(CANNOT_BEGIN);
    }
    close(nothing);
    close(said);
    const auto count = static_cast<int>(texts.size()) - 1;
    texts.push_back(nullptr);
    const int status = run(count, texts.data() + 1);
    std::cout.flush();
    std::cerr.flush();
    std::fflush(nullptr);
    _exit(status); // destroying the libraries' static objects would only take time
}

} // namespace

bool
IsToServe(int argc, char** argv)
{
    return argc == 2 && std::strcmp(argv[1], OPTION) == 0;
}

int
Serve(const std::function<int(int, char**)>& run)
{
    // What a process says goes to its own file.
    const int answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (answers < 0 || nothing < 0 || dup2(nothing, STDOUT_FILENO) < 0)
    {
        return CANNOT_BEGIN;
    }
    close(nothing);
    // ns-3 computes constants for the first of its random streams, which takes almost as long as to
    // load its libraries. This one belongs to no simulation and counts for none.
    const ns3::RngStream first(1, 1, 1);
    const pid_t server = getpid();
    if (!Answer(answers, "ready"))
    {
        return CANNOT_BEGIN;
    }
    for (std::vector<char> request; ReadRequest(request);)
    {
        const pid_t process = fork();
        if (process == 0)
        {
            ServeRequest(server, request, run);
        }
        int status = 0;
        pid_t ended = -1;
        do
        {
            ended = process < 0 ? -1 : waitpid(process, &status, 0);
        } while (ended < 0 && process > 0 && errno == EINTR);
        if (ended < 0 || !Answer(answers, std::to_string(status)))
        {
            return CANNOT_BEGIN;
        }
    }
    return 0;
}

} // namespace tcpsweep
