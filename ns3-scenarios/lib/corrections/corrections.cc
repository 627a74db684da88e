// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/corrections.h"

#include "options/errors.h"
#include "options/text.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tcpsweep
{

namespace
{

const char* const NO_CORRECTION = "none";

const std::vector<std::pair<std::string, bool Corrections::*>> NAMED_CORRECTIONS = {
    {"bbr", &Corrections::bbr},
    {"cubic", &Corrections::cubic},
    {"dsack", &Corrections::dsack},
    {"f_rto", &Corrections::fRto},
    {"prr", &Corrections::prr},
    {"quick_ack", &Corrections::quickAck},
    {"rack_tlp", &Corrections::rackTlp},
    {"rate_sample", &Corrections::rateSample},
    {"receive_window", &Corrections::receiveWindow},
    {"recovery_exit", &Corrections::recoveryExit},
    {"reno", &Corrections::reno},
    {"sack_compression", &Corrections::sackCompression},
    {"syn_timeouts", &Corrections::synTimeouts},
    {"undo", &Corrections::undo},
    {"window_after_recovery", &Corrections::windowAfterRecovery},
};

/// @return the names of all corrections, joined by commas
std::string
AllNames()
{
    Corrections all;
    for (const auto& [name, member] : NAMED_CORRECTIONS)
    {
        all.*member = true;
    }
    return all.Names();
}

} // namespace

std::string
Corrections::Names() const
{
    std::vector<std::string> names;
    for (const auto& [name, member] : NAMED_CORRECTIONS)
    {
        if (this->*member)
        {
            names.push_back(name);
        }
    }
    return names.empty() ? NO_CORRECTION : Join(names, ",");
}

Option
Corrections::DeclareOption()
{
    return {
        "corrections",
        "Which of ns-3's known defects in TCP are corrected, names joined by commas, or none: " +
            AllNames(),
        "",
        NO_CORRECTION};
}

Corrections
Corrections::Parse(const std::string& text)
{
    Corrections corrections;
    if (text == NO_CORRECTION)
    {
        return corrections;
    }
    for (const auto& name : Split(text, ','))
    {
        const auto found = std::find_if(NAMED_CORRECTIONS.begin(),
                                        NAMED_CORRECTIONS.end(),
                                        [&name](const auto& each) { return each.first == name; });
        if (found == NAMED_CORRECTIONS.end())
        {
            throw BadValue("none, or some of " + AllNames(), text);
        }
        corrections.*(found->second) = true;
    }
    return corrections;
}

} // namespace tcpsweep
