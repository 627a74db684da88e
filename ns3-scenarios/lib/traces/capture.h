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

/// Which files a scenario writes, and where.
struct Capture
{
    /// Whose packets are captured.
    enum class Pcap
    {
        NONE,
        BOTTLENECK, //!< those of the left router's interface to the bottleneck
        ALL         //!< those of every interface
    };

    std::filesystem::path folder;    //!< where all files go
    std::set<std::string> traces;    //!< the per-flow traces to write
    bool queue;                      //!< whether to write the bottleneck queue's trace
    bool flowMonitor;                //!< whether FlowMonitor follows all packets
    Pcap pcap;                       //!< whose packets to capture
    std::optional<uint32_t> snaplen; //!< bytes of each packet a capture keeps; none: headers
    bool ascii;                      //!< whether to write ns-3's ascii trace
    bool anim;                       //!< whether to write an animation

    /// @return the options that say it
    static std::vector<Option> DeclareOptions();

    /**
     * @param options the options in force
     * @return what they say
     * @throws UsageError
     */
    static Capture FromOptions(const Options& options);
};

} // namespace tcpsweep

#endif // TCPSWEEP_CAPTURE_H
