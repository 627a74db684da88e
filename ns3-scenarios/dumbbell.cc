// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario.h"
#include "scenario/wired-network.h"

#include <string>
#include <vector>

/**
 * @file
 * Flows that share one link, each with a sender and a receiver of its own. Reverse flows have their
 * senders on the right and their receivers on the left:
 *
 *     sender 0 ──┐                                      ┌── receiver 0
 *                ├── left router ══════ right router ───┤
 *     sender n ──┘            bottleneck                └── receiver n
 */

namespace tcpsweep
{

namespace
{

constexpr double ROW = 20;

/**
 * @param router the name of a router
 * @param host the name of a host
 * @param is the link between them
 * @param mtuBytes the largest packet that it carries
 * @return the link
 */
LinkParameters
Access(const std::string& router, const std::string& host, const AccessLink& is, uint32_t mtuBytes)
{
    LinkParameters link;
    link.name = host;
    link.left = router;
    link.right = host;
    link.mtuBytes = mtuBytes;
    link.forward.delay = is.delay;
    link.reverse.delay = is.delay;
    link.forward.bandwidth = is.bandwidth;
    link.reverse.bandwidth = is.bandwidth;
    return link;
}

/**
 * Add a flow's hosts with their access links to a dumbbell.
 *
 * @param[in,out] wired the dumbbell
 * @param[in,out] spots the positions of its nodes in the animation
 * @param i the flow's number among all flows, with those of a constant bit rate after the others
 * @param prefix beginning of the hosts' names
 * @param number end of the names
 * @param flow the flow whose access links these are, or the like
 * @param jitter the longest random delay of a packet at the sender
 * @return where the flow goes
 */
Journey
AddHosts(WiredNetwork& wired,
         std::vector<Spot>& spots,
         uint32_t i,
         const std::string& prefix,
         const std::string& number,
         const FlowParameters& flow,
         ns3::Time jitter)
{
    const bool forward = flow.direction == Direction::FORWARD;
    const std::string sender = prefix + "sender" + number;
    const std::string receiver = prefix + "receiver" + number;
    const auto mtu = wired.links.front().mtuBytes;
    auto sending = Access(forward ? "left" : "right", sender, flow.senderAccess, mtu);
    sending.reverse.jitter = jitter;
    wired.links.push_back(sending);
    wired.links.push_back(Access(forward ? "right" : "left", receiver, flow.receiverAccess, mtu));
    const std::string kind = prefix.empty() ? "" : "CBR ";
    const double x = forward ? 0 : 3 * COLUMN;
    spots.push_back({sender, kind + "sender " + number, x, i * ROW});
    spots.push_back({receiver, kind + "receiver " + number, 3 * COLUMN - x, i * ROW});
    return {sender, receiver};
}

/**
 * @param p the parameters
 * @return the network
 */
Network
Build(const ScenarioParameters& p, const Options&)
{
    WiredNetwork wired{p.links, p.ip};
    const auto count = static_cast<uint32_t>(p.flows.size());
    const double middle = ROW * (count + p.cbr.count - 1) / 2;
    std::vector<Spot> spots = {{"left", "left router", COLUMN, middle},
                               {"right", "right router", 2 * COLUMN, middle}};
    for (uint32_t i = 0; i < count; ++i)
    {
        wired.flows.push_back(
            AddHosts(wired, spots, i, "", std::to_string(i), p.flows[i], p.packetJitter));
    }
    for (uint32_t i = 0; i < p.cbr.count; ++i)
    {
        auto like = p.flows[i % count];
        like.direction = Direction::FORWARD;
        wired.cbr.push_back(
            AddHosts(wired, spots, count + i, "cbr-", std::to_string(i), like, p.packetJitter));
    }
    return BuildWired(wired, spots);
}

} // namespace

} // namespace tcpsweep

int
main(int argc, char** argv)
{
    return tcpsweep::RunScenario({"dumbbell", 2, {}, tcpsweep::Build}, argc, argv);
}
