// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_HOST_PROGRAM_H
#define TCPSWEEP_HOST_PROGRAM_H

#include "kernel/file-descriptor.h"
#include "output/json.h"
#include "output/output-file.h"

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>

namespace tcpsweep
{

/**
 * A program in the network namespace of a kernel's host, as a group of processes. The shell runs
 * its command. Its standard output and error go into files.
 */
class HostProgram
{
  public:
    /**
     * Provide a folder in which all programs run, always at the same path: a path's length would
     * change a program's time by a few clock readings. This process is inside a kernel of its own.
     *
     * @param folder the folder; empty for the root
     * @throws std::system_error
     */
    static void Provide(const std::string& folder);

    /**
     * Open the program's files: later, this would take simulated time.
     *
     * @param network the namespace of its host, open as long as this object lives
     * @param command its command
     * @param output the path of its files without their endings, .out and .err
     * @throws std::system_error
     */
    HostProgram(int network, std::string command, std::filesystem::path output);

    /// End it at once, if it runs.
    ~HostProgram();

    HostProgram(const HostProgram&) = delete;
    HostProgram& operator=(const HostProgram&) = delete;

    /**
     * Start it.
     *
     * @throws std::system_error
     */
    void Start();

    /// Ask it to end. Its status no longer counts.
    void Terminate();

    /// End it at once.
    void Kill();

    /// @return whether it runs
    bool IsRunning();

    /**
     * Add its files to the checksums. Empty ones are removed.
     *
     * @param checksums gets their checksums
     * @throws std::runtime_error it ended by itself with a status that means a failure
     */
    void Close(Checksums& checksums);

    /**
     * @param json the writer, which receives an object
     * @param end whether it ran at the sender or the receiver
     */
    void Write(JsonWriter& json, const std::string& end) const;

  private:
    /**
     * @param ending the ending of one of its files
     * @return the file's path
     */
    std::filesystem::path File(const std::string& ending) const;

    int m_network;                  //!< its namespace
    std::string m_command;          //!< its command
    std::filesystem::path m_output; //!< its files, without their endings
    FileDescriptor m_out;           //!< the file for its standard output
    FileDescriptor m_err;           //!< the file for its standard error
    pid_t m_process{0};             //!< its process; 0 if it does not run
    std::optional<int> m_status;    //!< as from waitpid(), if it ended by itself
    bool m_wasEnded{false};         //!< whether it was asked to end
};

} // namespace tcpsweep

#endif // TCPSWEEP_HOST_PROGRAM_H
