// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_TRANSFERS_H
#define TCPSWEEP_TRANSFERS_H

#include "output/series-file.h"

#include <ns3/nstime.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

namespace tcpsweep
{

/**
 * A row of transfers. A transfer is the unit that a user waits for, by the kind of traffic:
 *
 * - arrivals: a flow. `value` is the time to the end of its handshake in ns, or -1.
 * - incast: a round, from -1 to the client. `value` counts the complete answers, `extra` is
 *   the time to the first of them in ns, or -1.
 * - on-off: a burst. `value` counts the bytes of earlier bursts that were unfinished at its start.
 * - web: a page, from server to client. `value` counts its objects, `extra` the received ones.
 * - video: a chunk, from server to client. `value` is its bitrate in bit/s, `extra` the time that
 *   the player stalled for it in ns.
 *
 * Where nothing is said of `extra`, it is 0.
 */
struct Transfer
{
    uint32_t traffic{0};             //!< the number of its traffic
    uint32_t number{0};              //!< its own number there, in the order of the starts
    int32_t from{-1};                //!< the source of its data; -1 for several nodes
    int32_t to{-1};                  //!< the destination
    uint64_t bytes{0};               //!< its payload
    uint64_t received{0};            //!< the bytes that the receiver has read
    ns3::Time start;                 //!< when it was requested
    std::optional<ns3::Time> finish; //!< when its last byte was read; nothing if it is not finished
    int64_t value{0};                //!< as above
    int64_t extra{0};                //!< as above
    /// How often it has to cross the network there and back, one after the other, its data's last
    /// way included: with a handshake before the data, twice and once.
    uint32_t waysThere{2};
    uint32_t waysBack{1}; //!< as for waysThere
};

/// Returns the least time of a transfer, on an otherwise unused path; nothing if this is not
/// defined because its data come from several nodes.
using TimeAlone = std::function<std::optional<ns3::Time>(const Transfer&)>;

/**
 * The file of all traffic's transfers, `transfers.columns`: a file of columns of one series,
 * written in the order of the finishes, with the unfinished ones at the end. Its columns are, in
 * 64 bits, the time of writing, start, finish or -1, bytes, received, value, extra and the time
 * alone or -1; in 32 bits, traffic, number, from and to. Times are in nanoseconds.
 */
class TransferRows
{
  public:
    /**
     * @param folder where to create the file
     * @param alone returns a transfer's least time on an empty network; empty for none
     * @throws OutputError
     */
    explicit TransferRows(const std::filesystem::path& folder, TimeAlone alone = {});

    /**
     * @param transfer the transfer to add
     * @throws OutputError
     */
    void Add(const Transfer& transfer);

    /// @return all rows so far
    uint64_t Rows() const;

    /**
     * Write the remaining rows and close the file.
     *
     * @param checksums gets the file's
     * @throws OutputError
     */
    void Close(Checksums& checksums);

  private:
    TimeAlone m_alone; //!< as given
    SeriesFile<int64_t,
               int64_t,
               int64_t,
               int64_t,
               int64_t,
               int64_t,
               int64_t,
               uint32_t,
               uint32_t,
               int32_t,
               int32_t>
        m_file; //!< the file
};

} // namespace tcpsweep

#endif // TCPSWEEP_TRANSFERS_H
