// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_ROW_FILE_H
#define TCPSWEEP_ROW_FILE_H

#include <ns3/nstime.h>

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace tcpsweep
{

/**
 * A text file of rows: fields with single blanks between, the first one the simulated time.
 *
 * A simulation writes tens of millions of fields, so they are formatted straight into a large
 * buffer.
 */
class RowFile
{
  public:
    /**
     * @param path where to create it
     * @throws OutputError
     */
    explicit RowFile(const std::filesystem::path& path);

    /// Release the file; rows that Close() did not write are lost.
    ~RowFile();

    RowFile(const RowFile&) = delete;
    RowFile& operator=(const RowFile&) = delete;

    /**
     * Begin a row with the simulated time.
     *
     * @return this
     * @throws OutputError
     */
    RowFile& Begin();

    /**
     * @param number a field
     * @return this
     */
    template <typename Integer>
    RowFile&
    Number(Integer number)
    {
        *m_next++ = ' ';
        m_next = std::to_chars(m_next, m_next + LONGEST_FIELD, number).ptr;
        return *this;
    }

    /**
     * @param letter a field
     * @return this
     */
    RowFile&
    Letter(char letter)
    {
        *m_next++ = ' ';
        *m_next++ = letter;
        return *this;
    }

    /**
     * @param time a field: seconds with 9 decimals
     * @return this
     */
    RowFile&
    Seconds(ns3::Time time)
    {
        *m_next++ = ' ';
        PutSeconds(time);
        return *this;
    }

    /// End the row.
    void
    End()
    {
        *m_next++ = '\n';
        ++m_rows;
    }

    /**
     * Write what is left and close the file.
     *
     * @throws OutputError
     */
    void Close();

    /// @return how many rows have ended
    uint64_t
    Rows() const
    {
        return m_rows;
    }

  private:
    /// The most characters of a field.
    static constexpr std::size_t LONGEST_FIELD = 32;
    /// The most characters of a row.
    static constexpr std::size_t LONGEST_ROW = 8 * LONGEST_FIELD;

    /// @param time what to put as seconds with 9 decimals
    void PutSeconds(ns3::Time time);

    /// Write the buffer to the file.
    void Flush();

    std::filesystem::path m_path; //!< the file's path
    std::vector<char> m_buffer;   //!< rows that are not in the file yet
    char* m_next;                 //!< where the next character goes
    int m_descriptor;             //!< the open file
    uint64_t m_rows{0};           //!< rows ended
};

} // namespace tcpsweep

#endif // TCPSWEEP_ROW_FILE_H
