// SPDX-License-Identifier: GPL-2.0-only
#include "network/link-schedule.h"

#include "network/link-channel.h"
#include "network/link-step.h"
#include "network/streams.h"
#include "options/values.h"

#include <ns3/error-model.h>
#include <ns3/pointer.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace tcpsweep
{

namespace
{

/**
 * @param way a direction
 * @return the model of its losses, whose probability can be changed
 */
ns3::Ptr<ns3::RateErrorModel>
RateModelOf(const Way& way)
{
    ns3::PointerValue there;
    way.receiver->GetAttribute("ReceiveErrorModel", there);
    if (const auto model = there.Get<ns3::RateErrorModel>())
    {
        return model;
    }
    const auto draws = ns3::CreateObject<ns3::UniformRandomVariable>();
    draws->SetStream(StreamOf(Draw::SCHEDULED_LOSS, way.number));
    const auto model = ns3::CreateObject<ns3::RateErrorModel>();
    model->SetUnit(ns3::RateErrorModel::ERROR_UNIT_PACKET);
    model->SetRate(0);
    model->SetRandomVariable(draws);
    way.receiver->SetReceiveErrorModel(model);
    return model;
}

/// A schedule during a simulation.
class RunningSchedule : public std::enable_shared_from_this<RunningSchedule>
{
  public:
    /**
     * @param schedule the schedule
     * @param ways the directions that change
     */
    RunningSchedule(LinkSchedule schedule, std::vector<Way> ways)
        : m_schedule(std::move(schedule)),
          m_ways(std::move(ways))
    {
        for (const auto& way : m_ways)
        {
            m_losses.push_back(m_schedule.ChangesLoss() ? RateModelOf(way) : nullptr);
        }
    }

    /// Make the changes of this time, and schedule the next changes.
    void
    Go()
    {
        while (m_next < m_schedule.changes.size())
        {
            const auto& change = m_schedule.changes[m_next];
            const ns3::Time wait = m_begin + change.time - ns3::Simulator::Now();
            if (wait.IsStrictlyPositive())
            {
                ns3::Simulator::Schedule(wait, [self = shared_from_this()] { self->Go(); });
                return;
            }
            Make(change);
            if (++m_next == m_schedule.changes.size() && m_schedule.period.IsStrictlyPositive())
            {
                m_next = 0;
                m_begin += m_schedule.period;
            }
        }
    }

  private:
    /// @param change the current change
    void
    Make(const LinkChange& change) const
    {
        for (std::size_t i = 0; i < m_ways.size(); ++i)
        {
            const auto& sender = m_ways[i].sender;
            const auto channel = sender->GetChannel();
            const auto own = ns3::DynamicCast<LinkChannel>(channel);
            if (change.bandwidth)
            {
                sender->SetDataRate(*change.bandwidth);
            }
            if (change.delay && own)
            {
                own->SetDelay(sender, *change.delay);
            }
            else if (change.delay)
            {
                channel->SetAttribute("Delay", ns3::TimeValue(*change.delay));
            }
            if (change.loss)
            {
                m_losses[i]->SetRate(*change.loss);
            }
        }
    }

    LinkSchedule m_schedule;                             //!< the schedule
    std::vector<Way> m_ways;                             //!< the directions that change
    std::vector<ns3::Ptr<ns3::RateErrorModel>> m_losses; //!< their losses
    std::size_t m_next{0};                               //!< the change that comes next
    ns3::Time m_begin;                                   //!< when its round began
};

} // namespace

std::vector<Option>
LinkSchedule::Declared()
{
    return {
        {"schedule",
         "File of the times at which the link's rate, delay or losses change, as comma-separated "
         "values with the columns time_s, bandwidth_bps, delay_s and loss; none for no changes",
         "",
         "none"},
        {"schedule_repeat",
         "Time after which the schedule starts again, later than its last time; 0s for never",
         "s",
         "0s"},
    };
}

LinkSchedule
LinkSchedule::FromOptions(const Options& options)
{
    LinkSchedule schedule{
        options.As("schedule",
                   [](const std::string& path)
                   { return path == "none" ? std::vector<LinkChange>() : ReadLinkChanges(path); }),
        options.As("schedule_repeat", ParseTime)};
    const auto step = LinkStep::FromOptions(options);
    const bool isFile = !schedule.changes.empty();
    if (isFile && !step.time.IsZero())
    {
        throw UsageError(options.Full("schedule"),
                         "step_time also changes the link; give one of them");
    }
    if (schedule.period.IsStrictlyPositive() && !isFile)
    {
        throw UsageError(options.Full("schedule_repeat"), "needs a schedule");
    }
    if (isFile && schedule.period.IsStrictlyPositive() &&
        schedule.period <= schedule.changes.back().time)
    {
        throw UsageError(options.Full("schedule_repeat"),
                         "needs a time above the schedule's last one, " +
                             std::to_string(schedule.changes.back().time.GetSeconds()) + " s");
    }
    if (!step.time.IsZero())
    {
        schedule.changes = {{step.time, step.bandwidth, step.delay, std::nullopt}};
    }
    return schedule;
}

bool
LinkSchedule::ChangesBandwidth() const
{
    return std::any_of(changes.begin(),
                       changes.end(),
                       [](const LinkChange& change) { return change.bandwidth.has_value(); });
}

bool
LinkSchedule::ChangesDelay() const
{
    return std::any_of(changes.begin(),
                       changes.end(),
                       [](const LinkChange& change) { return change.delay.has_value(); });
}

bool
LinkSchedule::ChangesLoss() const
{
    return std::any_of(changes.begin(),
                       changes.end(),
                       [](const LinkChange& change) { return change.loss.has_value(); });
}

void
LinkSchedule::Install(const std::vector<Way>& ways) const
{
    if (!changes.empty())
    {
        std::make_shared<RunningSchedule>(*this, ways)->Go();
    }
}

} // namespace tcpsweep
