// SPDX-License-Identifier: GPL-2.0-only
#include "traces/capture.h"

#include "options/values.h"

#include <algorithm>
#include <unistd.h>

namespace tcpsweep
{

namespace
{

/// The largest snaplen that readers of pcap files accept without complaint.
constexpr uint32_t LARGEST_SNAPLEN_BYTES = 65535;

/**
 * @param text a folder's path
 * @return the folder, which exists
 */
std::filesystem::path
ParseFolder(const std::string& text)
{
    std::error_code error;
    if (text.empty())
    {
        throw BadValue("a folder for the output is needed");
    }
    if (!std::filesystem::is_directory(text, error) || access(text.c_str(), W_OK | X_OK))
    {
        throw BadValue("a folder that exists and can be written to", text);
    }
    return text;
}

/**
 * @param text all, none, or names with commas between
 * @return the names
 */
std::set<std::string>
ParseTraces(const std::string& text)
{
    const auto& names = TraceNames();
    if (text == "all")
    {
        return {names.begin(), names.end()};
    }
    if (text == "none")
    {
        return {};
    }
    const auto parts = Split(text, ',');
    for (const auto& part : parts)
    {
        if (std::find(names.begin(), names.end(), part) == names.end())
        {
            throw BadValue("there is no trace '" + part + "'; expected all, none or some of " +
                           Join(names, ",") + DidYouMean(part, names));
        }
    }
    return {parts.begin(), parts.end()};
}

/**
 * @param text none, bottleneck or all
 * @return which packets to capture
 */
Capture::Pcap
ParsePcap(const std::string& text)
{
    const auto word = ParseWord(text, {"none", "bottleneck", "all"});
    return word == "none"         ? Capture::Pcap::NONE
           : word == "bottleneck" ? Capture::Pcap::BOTTLENECK
                                  : Capture::Pcap::ALL;
}

/**
 * @param text headers, full or a number of bytes
 * @return how many bytes of each packet to keep; none for the size of its link's headers
 */
std::optional<uint32_t>
ParseSnaplen(const std::string& text)
{
    if (text == "headers")
    {
        return std::nullopt;
    }
    if (text == "full")
    {
        return LARGEST_SNAPLEN_BYTES;
    }
    try
    {
        return static_cast<uint32_t>(ParseCount(text, 1, LARGEST_SNAPLEN_BYTES));
    }
    catch (const BadValue&)
    {
        throw BadValue("headers, full or a number of bytes up to " +
                           std::to_string(LARGEST_SNAPLEN_BYTES),
                       text);
    }
}

} // namespace

const std::vector<std::string>&
TraceNames()
{
    static const std::vector<std::string> names = {
        "cwnd_bytes",
        "ssthresh_bytes",
        "rtt_s",
        "srtt_s",
        "congestion_state",
        "in_flight_bytes",
        "acked_bytes",
        "received_bytes",
        "ip_received_bytes",
        "owd_s",
        "retransmitted_bytes",
        "duplicate_bytes",
        "timeouts",
        "receiver_limited_s",
        "application_limited_s",
        "send_buffer_limited_s",
        "sent_bytes",
        "ip_sent_bytes",
        "sent_packets",
    };
    return names;
}

std::vector<Option>
Capture::DeclareOptions()
{
    return {
        {"out", "Folder that receives the output; it must exist", "", ""},
        {"load", "Shared libraries to load first, such as a variant's", "", ""},
        {"program_folder", "Folder in which programs of flows run; none for /", "", ""},
        {"kernel",
         "Release of the kernel in which the program runs, which Linux' TCP needs",
         "",
         ""},
        {"quic", "QUIC stacks, as NAME=LIBRARY with commas between", "", ""},
        {"traces", "Per-flow traces to write: all, none, or names with commas between", "", "all"},
        {"queue_trace", "Write the bottleneck queue's trace, true or false", "", "true"},
        {"flow_monitor", "Write FlowMonitor's totals, true or false", "", "true"},
        {"pcap", "Interfaces to capture packets of: none, bottleneck or all", "", "none"},
        {"snaplen",
         "Bytes that a capture keeps of each packet: headers, full or a number",
         "B",
         "headers"},
        {"ascii",
         "Write ns-3's ascii trace of every point-to-point interface, true or false",
         "",
         "false"},
        {"anim", "Write an animation of the network for NetAnim, true or false", "", "false"},
        {"text", "Write traces and queues as text too, true or false", "", "false"},
    };
}

Capture
Capture::FromOptions(const Options& options)
{
    return {options.As("out", ParseFolder),
            options.As("traces", ParseTraces),
            options.As("queue_trace", ParseFlag),
            options.As("flow_monitor", ParseFlag),
            options.As("pcap", ParsePcap),
            options.As("snaplen", ParseSnaplen),
            options.As("ascii", ParseFlag),
            options.As("anim", ParseFlag),
            options.As("text", ParseFlag)};
}

} // namespace tcpsweep
