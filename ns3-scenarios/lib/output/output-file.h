// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_OUTPUT_FILE_H
#define TCPSWEEP_OUTPUT_FILE_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <ostream>
#include <streambuf>
#include <string>
#include <vector>

namespace tcpsweep
{

class OutputFile;

/// The checksums of closed files, with which a reader detects changed files.
class Checksums
{
  public:
    /// @param file a closed file
    void Add(const OutputFile& file);

    /**
     * @param path a file that another program wrote
     * @throws OutputError
     */
    void Add(const std::filesystem::path& path);

    /**
     * Write a line for each file: its CRC-32 in hexadecimal digits, its size, its name.
     *
     * @param path the file, which exists whole or not at all
     * @throws OutputError
     */
    void Write(const std::filesystem::path& path) const;

  private:
    /**
     * @param name a file's name
     * @param crc its CRC-32
     * @param bytes its size
     */
    void AddLine(const std::string& name, uint32_t crc, uint64_t bytes);

    std::map<std::string, std::string> m_lines; //!< each file's name to its line
};

/// A file that is written from beginning to end, in large pieces, with its checksum.
class OutputFile
{
  public:
    /**
     * @param path where to create it
     * @throws OutputError
     */
    explicit OutputFile(const std::filesystem::path& path);

    /// Release the file; bytes that Close() did not write are lost.
    ~OutputFile();

    /// From now on, keep no written data of any file in the memory of this process's kernel.
    static void DropWritten();

    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /**
     * @param data the next bytes of the file
     * @param size its bytes
     * @throws OutputError
     */
    void
    Write(const void* data, std::size_t size)
    {
        if (size > m_buffer.size() - m_held)
        {
            WriteThrough(data, size);
            return;
        }
        std::memcpy(m_buffer.data() + m_held, data, size);
        m_held += size;
    }

    /**
     * Write the remaining bytes and close the file.
     *
     * @throws OutputError
     */
    void Close();

    /// @return the file's path
    const std::filesystem::path&
    Path() const
    {
        return m_path;
    }

    /// @return its bytes so far
    uint64_t
    Bytes() const
    {
        return m_bytes + m_held;
    }

    /// @return the CRC-32 of the closed file
    uint32_t
    Crc() const
    {
        return m_crc;
    }

  private:
    /**
     * Write the bytes in the buffer, and then these.
     *
     * @param data the next bytes
     * @param size its bytes
     */
    void WriteThrough(const void* data, std::size_t size);

    /**
     * @param data the bytes to write
     * @param size its bytes
     */
    void Put(const void* data, std::size_t size);

    static bool m_dropsWritten; //!< whether the kernel is to forget written data

    std::filesystem::path m_path; //!< the file's path
    std::vector<char> m_buffer;   //!< bytes that are not in the file yet
    std::size_t m_held{0};        //!< the used part of the buffer
    uint64_t m_bytes{0};          //!< the bytes in the file
    uint32_t m_crc{0};            //!< their CRC
    int m_descriptor;             //!< the open file
};

/// A stream into an OutputFile. It throws the file's errors.
class OutputStream : public std::ostream
{
  public:
    /// @param file the file to write to, which lives longer than the stream
    explicit OutputStream(OutputFile& file);

  private:
    /// Passes written bytes on to the file.
    class Buffer : public std::streambuf
    {
      public:
        /// @param file the file to write to
        explicit Buffer(OutputFile& file);

      private:
        int_type overflow(int_type letter) override;
        std::streamsize xsputn(const char* text, std::streamsize size) override;

        OutputFile& m_file; //!< the file to write to
    };

    Buffer m_buffer; //!< passes written bytes on
};

/**
 * Write a file so that it exists whole or not at all.
 *
 * @param path the file
 * @param write writes its content
 * @param checksums gets the file's
 * @throws OutputError
 */
void WriteWhole(const std::filesystem::path& path,
                const std::function<void(std::ostream&)>& write,
                Checksums& checksums);

} // namespace tcpsweep

#endif // TCPSWEEP_OUTPUT_FILE_H
