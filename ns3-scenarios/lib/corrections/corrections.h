// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_CORRECTIONS_H
#define TCPSWEEP_CORRECTIONS_H

#include "options/options.h"

#include <string>

namespace tcpsweep
{

/// Which of ns-3's known defects in TCP are corrected;
/// `tcpsweep/features/corrections/correction_names.py` describes each.
struct Corrections
{
    bool rateSample{false};          //!< each ACK begins a rate sample of its own
    bool bbr{false};                 //!< BBR as in Linux, in place of ns3::TcpBbr
    bool cubic{false};               //!< CUBIC as in RFC 9438, in place of ns3::TcpCubic
    bool dsack{false};               //!< segments that arrive twice are reported, RFC 2883
    bool fRto{false};                //!< a timeout without a loss is recognised, RFC 5682
    bool prr{false};                 //!< PRR as in RFC 9937, in place of ns3::TcpPrrRecovery
    bool quickAck{false};            //!< receivers acknowledge the first segments at once
    bool rackTlp{false};             //!< losses are detected by RACK-TLP, RFC 8985
    bool receiveWindow{false};       //!< the receive window begins with 64 KiB
    bool recoveryExit{false};        //!< the window grows for each byte once
    bool reno{false};                //!< Reno as in Linux, in place of ns3::TcpLinuxReno
    bool sackCompression{false};     //!< an ACK with SACK waits for up to a millisecond
    bool synTimeouts{false};         //!< the first repeats of a SYN are a second apart
    bool undo{false};                //!< a recovery that was not necessary is undone
    bool windowAfterRecovery{false}; //!< BBR restores its own window when a recovery ends

    /// @return whether there is any
    bool
    Any() const
    {
        return Names() != Corrections().Names();
    }

    /// @return their names, joined by commas, or none
    std::string Names() const;

    /// @return the option of a scenario's command line, whose default is ns-3 without corrections
    static Option DeclareOption();

    /**
     * @param text names joined by commas, or none
     * @return the corrections
     * @throws BadValue
     */
    static Corrections Parse(const std::string& text);
};

} // namespace tcpsweep

#endif // TCPSWEEP_CORRECTIONS_H
