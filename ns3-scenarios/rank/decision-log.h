// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_RANK_DECISION_LOG_H
#define TCPSWEEP_RANK_DECISION_LOG_H

#include <ns3/tcp-congestion-ops.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <functional>
#include <string>

/**
 * @file
 * What a congestion control decides, as whole numbers that keep all bits. Its calls and the
 * changes of its socket's state determine the decisions of an honest control.
 */

namespace tcpsweep::rank
{

/// What a control meets: its constructor, a change of a traced value between calls, or a call.
enum class Call : int64_t
{
    CONSTRUCT,
    CHANGE,
    INIT,
    GET_SS_THRESH,
    INCREASE_WINDOW,
    PKTS_ACKED,
    CONGESTION_STATE_SET,
    CWND_EVENT,
    CONG_CONTROL,
};

/// The members of TcpRateConnection and TcpRateSample. A change has the field and its new bits.
using Arguments = std::array<int64_t, 19>;
constexpr std::size_t FIELDS = 29;       //!< of the socket's state
constexpr std::size_t RETURNED = FIELDS; //!< in Values
/// The fields, what the call returned, and what HasCongControl() returned after it.
using Values = std::array<int64_t, FIELDS + 2>;

/// A call, and what the control did.
struct Decision
{
    int64_t instance{0};        //!< the control's number in the simulation, from 0
    Call call{Call::CONSTRUCT}; //!< the call
    int64_t time{0};            //!< when, in ns-3's time steps
    Arguments arguments{};      //!< the arguments, as far as it has them
    Values before{};            //!< the values before it
    Values after{};             //!< the values after it
};

/**
 * @param type a control's type
 * @param instance its number
 * @return the control. If it has the attribute Stream, its random numbers depend only on its
 * number, otherwise on the simulation's seed and run, too.
 */
ns3::Ptr<ns3::TcpCongestionOps> MakeControl(ns3::TypeId type, int64_t instance);

/**
 * Call a control now.
 *
 * @param control the control
 * @param tcb the socket's state, which it may change
 * @param instance the control's number
 * @param call the function
 * @param arguments the function's arguments
 * @return what it did
 */
Decision Decide(ns3::TcpCongestionOps& control,
                ns3::Ptr<ns3::TcpSocketState> tcb,
                int64_t instance,
                Call call,
                const Arguments& arguments);

/// @return the arguments of CongControl()
Arguments ArgumentsOf(const ns3::TcpRateOps::TcpRateConnection& connection,
                      const ns3::TcpRateOps::TcpRateSample& sample);

/**
 * @param tcb a socket's state
 * @param changed gets the number of each traced field that is about to change, and its new bits
 */
void Listen(ns3::TcpSocketState& tcb, const std::function<void(int64_t, int64_t)>& changed);

/// Append to a log.
void Write(std::ofstream& log, const Decision& decision);

/**
 * Begin to repeat the calls of one sender from a log, to a control of its own, each at its time.
 * The report is one line, written at the first difference or at the end; TIME is in ns:
 * - `equal SENDERS`, or `observes SENDERS` if the control also is an AckObserver, which gets
 * nothing
 * - `missing SENDERS`: the log has fewer senders
 * - `changed TIME CALL FIELD BEFORE AFTER`: the recorded call changed what only the socket changes
 * - `between TIME CALL FIELD EXPECTED IS`: the control changed the state before this call
 * - `differs TIME CALL FIELD RECORDED REPEATED`
 *
 * @param log the file with the log
 * @param sender the number of the sender among the log's senders, from 0
 * @param type the control's type
 * @param report the file with the report
 */
void
BeginReplay(const std::string& log, uint32_t sender, ns3::TypeId type, const std::string& report);

} // namespace tcpsweep::rank

#endif // TCPSWEEP_RANK_DECISION_LOG_H
