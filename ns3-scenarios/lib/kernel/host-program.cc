// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/host-program.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <stdexcept>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace tcpsweep
{

namespace
{

const char* const SHELL = "/bin/sh";
/// Where programs run; only the kernel in virtual time has it.
const char* const FOLDER = "/dev/programs";
const std::string OUT = ".out";
const std::string ERR = ".err";
/// All of its environment. /dev/shm is the kernel's own memory, so simulations do not meet there.
const std::array<const char*, 5> ENVIRONMENT = {
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME=/dev/shm",
    "TMPDIR=/dev/shm",
    "LC_ALL=C.UTF-8",
    nullptr};
constexpr unsigned FIRST_OTHER_FILE = 3;
/// The longest end of its standard error that a message has.
constexpr std::size_t MOST_WORDS = 2000;

/**
 * @param path a file
 * @return its content
 */
std::string
Content(const std::filesystem::path& path)
{
    std::ostringstream content;
    content << std::ifstream(path, std::ios::binary).rdbuf();
    return content.str();
}

/**
 * @param path a file to write
 * @return it
 */
FileDescriptor
OpenToWrite(const std::filesystem::path& path)
{
    FileDescriptor file(
        open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644));
    if (!file)
    {
        throw std::system_error(errno, std::generic_category(), "opening " + path.string());
    }
    return file;
}

/**
 * The new process: enter the host, and become the program.
 *
 * @param network the host's namespace
 * @param command the program's command
 * @param out the file for its standard output
 * @param err the file for its standard error
 */
[[noreturn]] void
Become(int network, const char* command, int out, int err)
{
    setpgid(0, 0);
    if (setns(network, CLONE_NEWNET) == 0 && dup2(open("/dev/null", O_RDONLY), 0) == 0 &&
        dup2(out, 1) == 1 && dup2(err, 2) == 2 && chdir(FOLDER) == 0)
    {
        syscall(SYS_close_range, FIRST_OTHER_FILE, ~0U, 0);
        signal(SIGPIPE, SIG_DFL);
        execle(SHELL, SHELL, "-c", command, nullptr, ENVIRONMENT.data());
    }
    _exit(127);
}

} // namespace

HostProgram::HostProgram(int network, std::string command, std::filesystem::path output)
    : m_network(network),
      m_command(std::move(command)),
      m_output(std::move(output)),
      m_out(OpenToWrite(File(OUT))),
      m_err(OpenToWrite(File(ERR)))
{
}

void
HostProgram::Provide(const std::string& folder)
{
    mkdir(FOLDER, 0755);
    if (mount(folder.empty() ? "/" : folder.c_str(), FOLDER, nullptr, MS_BIND, nullptr) != 0)
    {
        throw std::system_error(errno, std::generic_category(), "providing " + folder);
    }
}

HostProgram::~HostProgram()
{
    Kill();
}

std::filesystem::path
HostProgram::File(const std::string& ending) const
{
    return m_output.string() + ending;
}

void
HostProgram::Start()
{
    m_process = fork();
    if (m_process < 0)
    {
        throw std::system_error(errno, std::generic_category(), "starting " + m_command);
    }
    if (m_process == 0)
    {
        Become(m_network, m_command.c_str(), m_out.Get(), m_err.Get());
    }
    setpgid(m_process, m_process); // whichever of both processes is first
}

void
HostProgram::Terminate()
{
    if (IsRunning())
    {
        m_wasEnded = true;
        kill(-m_process, SIGTERM);
    }
}

void
HostProgram::Kill()
{
    if (IsRunning())
    {
        m_wasEnded = true;
        kill(-m_process, SIGKILL);
        waitpid(m_process, nullptr, 0);
        m_process = 0;
    }
}

bool
HostProgram::IsRunning()
{
    int status = 0;
    if (m_process != 0 && waitpid(m_process, &status, WNOHANG) == m_process)
    {
        m_process = 0;
        m_status = status;
    }
    return m_process != 0;
}

void
HostProgram::Close(Checksums& checksums)
{
    if (m_status && *m_status != 0 && !m_wasEnded)
    {
        const auto how = WIFEXITED(*m_status) ? "status " + std::to_string(WEXITSTATUS(*m_status))
                                              : "signal " + std::to_string(WTERMSIG(*m_status));
        auto words = Content(File(ERR));
        words = words.size() > MOST_WORDS ? words.substr(words.size() - MOST_WORDS) : words;
        throw std::runtime_error("the program `" + m_command + "` ended with " + how + ": " +
                                 (words.empty() ? "it wrote no error" : words));
    }
    for (const auto& ending : {OUT, ERR})
    {
        const auto path = File(ending);
        std::error_code error;
        if (std::filesystem::file_size(path, error) > 0 && !error)
        {
            checksums.Add(path);
        }
        else
        {
            std::filesystem::remove(path, error);
        }
    }
}

void
HostProgram::Write(JsonWriter& json, const std::string& end) const
{
    const auto name = [this](const std::string& ending)
    {
        const auto path = File(ending);
        return std::filesystem::exists(path) ? std::optional(path.filename().string())
                                             : std::nullopt;
    };
    json.BeginObject()
        .Member("end", end)
        .Member("command", m_command)
        .Member("ended_by_simulation", m_wasEnded)
        .Member("stdout", name(OUT))
        .Member("stderr", name(ERR))
        .EndObject();
}

} // namespace tcpsweep
