// SPDX-License-Identifier: GPL-2.0-only
#include "traffic/on-off.h"

#include "options/values.h"

#include <ns3/simulator.h>

#include <algorithm>

namespace tcpsweep
{

namespace
{

/// The unsent bytes that a flow without a rate keeps in TCP, and the size of each write.
constexpr uint64_t UNSENT_BYTES = 64 << 10;
constexpr uint64_t FILL_SEGMENTS = 8;

} // namespace

std::vector<Option>
OnOffParameters::DeclareOptions()
{
    return {{"rate",
             "Rate that each flow offers while it is on; max for as much as TCP takes",
             "bit/s",
             "max"},
            {"on", "How long it is on: a time, or exponential:MEAN", "s", "1s"},
            {"off", "How long it is off: a time, or exponential:MEAN", "s", "1s"}};
}

OnOffParameters
OnOffParameters::FromOptions(const Options& options, const TrafficPlace& place)
{
    const auto parse = [](const std::string& text)
    {
        const auto durations = Durations::Parse(text);
        if (durations.Mean().IsZero())
        {
            throw BadValue("a time above zero", text);
        }
        return durations;
    };
    for (std::size_t i = 0; i < place.from.size(); ++i)
    {
        if (place.from[i].node == place.to[i % place.to.size()].node)
        {
            throw UsageError(options.Full("to"),
                             "has a flow from " + place.from[i].name + " to itself");
        }
    }
    const auto rate = [](const std::string& text)
    {
        return text == "max" ? std::nullopt : std::optional(ParseRate(text));
    };
    return {options.As("rate", rate),
            options.As("on", parse),
            options.As("off", parse),
            TrafficTimes::FromOptions(options)};
}

OnOff::OnOff(const OnOffParameters& parameters, const TrafficPlace& place, TransferRows* rows)
    : Traffic("on-off", place, parameters.times, rows),
      m_parameters(parameters)
{
    for (uint32_t i = 0; i < place.from.size(); ++i)
    {
        m_flows.push_back(std::make_unique<Flow>());
        auto& flow = *m_flows.back();
        flow.from = place.from[i];
        flow.to = place.to[i % place.to.size()];
        flow.draws = ns3::CreateObject<ns3::UniformRandomVariable>();
        flow.draws->SetStream(StreamOfTraffic(Draw::TRAFFIC_TIME, place, i));
        ns3::Simulator::Schedule(parameters.times.start, [this, &flow] { SwitchOn(flow); });
    }
}

void
OnOff::SwitchOn(Flow& flow)
{
    if (Times().AreOver(ns3::Simulator::Now()))
    {
        return;
    }
    const bool isNew = !flow.connection;
    if (isNew)
    {
        flow.credited = 0;
        Connection::Events events;
        events.received = [this, &flow](Connection&, End)
        {
            Take(flow);
        };
        events.room = [this, &flow](Connection&)
        {
            Fill(flow);
        };
        events.over = [this, &flow](Connection&, bool)
        {
            Fail(flow);
        };
        flow.connection = &Tcp().Open(flow.from.node, flow.to.node, std::move(events));
    }
    Burst burst;
    burst.transfer = Begin();
    burst.transfer.from = static_cast<int32_t>(flow.from.node->GetId());
    burst.transfer.to = static_cast<int32_t>(flow.to.node->GetId());
    burst.transfer.waysThere = isNew ? 2 : 1;
    burst.transfer.waysBack = isNew ? 1 : 0;
    burst.over = burst.transfer.start;
    for (const auto& earlier : flow.bursts)
    {
        burst.transfer.value +=
            static_cast<int64_t>(earlier.transfer.bytes - earlier.transfer.received);
    }
    flow.bursts.push_back(burst);
    flow.on = true;
    auto on = m_parameters.on.At(flow.draws->GetValue(0, 1));
    const auto off = m_parameters.off.At(flow.draws->GetValue(0, 1));
    if (Times().AreOver(burst.transfer.start + on))
    {
        on = Times().stop - burst.transfer.start;
    }
    ns3::Simulator::Schedule(on, [this, &flow] { SwitchOff(flow); });
    ns3::Simulator::Schedule(on + off, [this, &flow] { SwitchOn(flow); });
    m_parameters.rate ? Offer(flow) : Fill(flow);
}

void
OnOff::SwitchOff(Flow& flow)
{
    if (flow.on)
    {
        // Also if its last byte was read earlier, or TCP accepted none.
        flow.bursts.back().over = ns3::Simulator::Now();
    }
    flow.on = false;
    Settle(flow);
}

void
OnOff::Give(Flow& flow, uint64_t bytes)
{
    flow.bursts.back().transfer.bytes += bytes;
    if (flow.connection)
    {
        flow.connection->Send(End::CLIENT, bytes);
    }
}

void
OnOff::Offer(Flow& flow)
{
    if (!flow.on)
    {
        return;
    }
    auto& burst = flow.bursts.back();
    const uint64_t packet = Place().segmentBytes;
    Give(flow, packet);
    const auto bits = static_cast<double>(++burst.offers * packet * 8);
    const auto next = burst.transfer.start +
                      ns3::Seconds(bits / static_cast<double>(m_parameters.rate->GetBitRate()));
    ns3::Simulator::Schedule(next - ns3::Simulator::Now(),
                             [this, &flow, number = burst.transfer.number]
                             {
                                 if (flow.on && flow.bursts.back().transfer.number == number)
                                 {
                                     Offer(flow);
                                 }
                             });
}

void
OnOff::Fill(Flow& flow)
{
    if (m_parameters.rate || !flow.on || !flow.connection || !flow.connection->Connected())
    {
        return;
    }
    // Read it once, because each call goes through ns-3's objects.
    const auto unsent = flow.connection->Unsent();
    const uint64_t step = FILL_SEGMENTS * Place().segmentBytes;
    if (unsent < UNSENT_BYTES)
    {
        Give(flow, (UNSENT_BYTES - unsent + step - 1) / step * step);
    }
}

void
OnOff::Take(Flow& flow)
{
    const auto received = flow.connection->Received(End::SERVER);
    for (auto& burst : flow.bursts)
    {
        if (flow.credited == received)
        {
            break;
        }
        auto& transfer = burst.transfer;
        const auto more = std::min(received - flow.credited, transfer.bytes - transfer.received);
        if (more > 0)
        {
            flow.credited += more;
            transfer.received += more;
            burst.over = ns3::Simulator::Now();
        }
    }
    Settle(flow);
}

void
OnOff::Settle(Flow& flow)
{
    const auto done = [&flow]
    {
        const auto& transfer = flow.bursts.front().transfer;
        return transfer.received == transfer.bytes && (flow.bursts.size() > 1 || !flow.on);
    };
    while (!flow.bursts.empty() && done())
    {
        auto& burst = flow.bursts.front();
        burst.transfer.finish = burst.over;
        AddFinished(burst.transfer);
        flow.bursts.pop_front();
    }
}

void
OnOff::Fail(Flow& flow)
{
    flow.connection = nullptr;
    flow.on = false;
    for (const auto& burst : flow.bursts)
    {
        CountFailed();
        AddUnfinished(burst.transfer);
    }
    flow.bursts.clear();
}

void
OnOff::EndAll()
{
    for (auto& flow : m_flows)
    {
        for (const auto& burst : flow->bursts)
        {
            AddUnfinished(burst.transfer);
        }
        flow->bursts.clear();
        flow->connection = nullptr;
    }
}

void
OnOff::WriteKind(JsonWriter& json) const
{
    json.Member("rate_bps",
                m_parameters.rate ? std::optional(m_parameters.rate->GetBitRate()) : std::nullopt)
        .Member("mean_on_s", m_parameters.on.Mean().GetSeconds())
        .Member("mean_off_s", m_parameters.off.Mean().GetSeconds());
}

} // namespace tcpsweep
