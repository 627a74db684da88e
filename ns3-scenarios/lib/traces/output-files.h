// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_OUTPUT_FILES_H
#define TCPSWEEP_OUTPUT_FILES_H

#include "network/direction.h"
#include "output/json.h"
#include "output/series-file.h"
#include "output/text-rows.h"
#include "traces/capture.h"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tcpsweep
{

/// A trace of flows: value, flow. A time is in nanoseconds.
using TraceFile = SeriesFile<int64_t, int32_t>;
using TraceSeries = TraceFile::Rows;
/// The events at a queue: delay in nanoseconds, bytes in the queue, flow, bytes on the wire,
/// packets in the queue, event.
using QueueFile = SeriesFile<int64_t, int64_t, int32_t, uint32_t, uint32_t, char>;
using QueueSeries = QueueFile::Rows;

/// A queue whose events are traced.
struct TracedQueue
{
    std::string link;    //!< its link's name
    Direction direction; //!< the direction of the link that it belongs to

    /// @return the name of its trace, and of its text file
    std::string Name() const;
};

/**
 * Add a row to a trace.
 *
 * @param trace the trace; nullptr if it is not requested, then nothing happens
 * @param flow the flow's index
 * @param value its value
 */
inline void
AddRow(TraceSeries* trace, int32_t flow, uint64_t value)
{
    if (trace)
    {
        trace->Add(static_cast<int64_t>(value), flow);
    }
}

/// @copydoc AddRow(TraceSeries*, int32_t, uint64_t)
inline void
AddRow(TraceSeries* trace, int32_t flow, ns3::Time value)
{
    if (trace)
    {
        trace->Add(value.GetNanoSeconds(), flow);
    }
}

/// The traces of one simulation and their files: `traces.columns` and `queue.columns`, and a text
/// file for each trace if that is requested.
class OutputFiles
{
  public:
    /**
     * @param capture the files to make, and their folder
     * @param queues the queues that are traced
     * @throws OutputError
     */
    OutputFiles(const Capture& capture, const std::vector<TracedQueue>& queues);

    /**
     * @param name a per-flow trace's name
     * @return its rows; nullptr if it is not requested
     */
    TraceSeries* Trace(const std::string& name);

    /**
     * @param queue a queue
     * @return its rows; nullptr if they are not requested
     */
    QueueSeries* Queue(const TracedQueue& queue);

    /**
     * @param write writes last rows, called once before the files are closed
     */
    void BeforeClose(std::function<void()> write);

    /**
     * Write the remaining rows and close the files.
     *
     * @param checksums gets theirs
     * @throws OutputError
     */
    void Close(Checksums& checksums);

    /// @param json the writer, which receives the number of rows of each trace and queue
    void Write(JsonWriter& json) const;

  private:
    /**
     * @param name a trace's name
     * @return its text file
     */
    TextRows& Text(const std::string& name);

    /// @param traces traces whose waiting rows to write as text
    void WriteText(const std::vector<TraceSeries>& traces);
    /// @param queues queues whose waiting rows to write as text
    void WriteText(const std::vector<QueueSeries>& queues);

    std::vector<TracedQueue> m_queuesTraced;          //!< the queues that are traced
    std::map<std::string, TextRows> m_texts;          //!< text files by their traces' names
    std::optional<TraceFile> m_traces;                //!< the flows' traces
    std::optional<QueueFile> m_queues;                //!< the queues' events
    std::vector<std::function<void()>> m_beforeClose; //!< write last rows
};

} // namespace tcpsweep

#endif // TCPSWEEP_OUTPUT_FILES_H
