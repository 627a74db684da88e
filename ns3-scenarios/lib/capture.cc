// SPDX-License-Identifier: GPL-2.0-only
#include "capture.h"

#include "values.h"

#include <algorithm>
#include <unistd.h>

namespace tcpsweep
{

namespace
{

/**
 * @param text a folder's path
 * @return the folder, which is there
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
    };
    return names;
}

std::vector<Option>
Capture::DeclareOptions()
{
    return {
        {"out", "Folder that receives the output; it must exist", "", ""},
        {"load", "Shared libraries to load first, such as a variant's", "", ""},
        {"traces", "Per-flow traces to write: all, none, or names with commas between", "", "all"},
        {"queue_trace", "Write the bottleneck queue's trace, true or false", "", "true"},
    };
}

Capture
Capture::FromOptions(const Options& options)
{
    return {options.As("out", ParseFolder),
            options.As("traces", ParseTraces),
            options.As("queue_trace", ParseFlag)};
}

} // namespace tcpsweep
