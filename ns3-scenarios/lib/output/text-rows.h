// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_TEXT_ROWS_H
#define TCPSWEEP_TEXT_ROWS_H

#include "output/output-file.h"

#include <charconv>
#include <cstdint>

namespace tcpsweep
{

/// A text file of rows for people: fields with single blanks between.
class TextRows
{
  public:
    /**
     * @param path where to create it
     * @throws OutputError
     */
    explicit TextRows(const std::filesystem::path& path);

    /**
     * @param number a field
     * @return this
     */
    template <typename Integer>
    TextRows&
    Number(Integer number)
    {
        m_next = std::to_chars(m_next, m_row + sizeof m_row, number).ptr;
        *m_next++ = ' ';
        return *this;
    }

    /**
     * @param letter a field
     * @return this
     */
    TextRows& Letter(char letter);

    /**
     * @param nanoseconds a field: seconds with 9 decimals
     * @return this
     */
    TextRows& Seconds(int64_t nanoseconds);

    /**
     * End the row.
     *
     * @throws OutputError
     */
    void End();

    /**
     * Write the remaining rows and close the file.
     *
     * @param checksums gets the file's
     * @throws OutputError
     */
    void Close(Checksums& checksums);

  private:
    OutputFile m_file;   //!< the file
    char m_row[256];     //!< the row, with a space after each field
    char* m_next{m_row}; //!< where the next field goes
};

} // namespace tcpsweep

#endif // TCPSWEEP_TEXT_ROWS_H
