// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_CAPTURE_H
#define TCPSWEEP_CAPTURE_H

#include "options/options.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tcpsweep
{

/// @return the names of the per-flow traces there are
const std::vector<std::string>& TraceNames();

/// The files that a scenario writes, and their folder.
struct Capture
{
    /// The interfaces whose packets are captured.
    enum class Pcap
    {
        NONE,
        BOTTLENECK, //!< the left router's interface to the bottleneck
        ALL         //!< every interface
    };

    std::filesystem::path folder;    //!< the folder for all files
    std::set<std::string> traces;    //!< the per-flow traces to write
    bool queue;                      //!< whether to write the bottleneck queue's trace
    bool flowMonitor;                //!< whether FlowMonitor tracks all packets
    Pcap pcap;                       //!< which packets to capture
    std::optional<uint32_t> snaplen; //!< bytes to keep of each packet; none: headers
    bool ascii;                      //!< whether to write ns-3's ascii trace
    bool anim;                       //!< whether to write an animation
    bool text;                       //!< whether to write traces and queues as text too

    /// @return the options that set these
    static std::vector<Option> DeclareOptions();

    /**
     * @param options the options in force
     * @return their values
     * @throws UsageError
     */
    static Capture FromOptions(const Options& options);
};

} // namespace tcpsweep

#endif // TCPSWEEP_CAPTURE_H
