// SPDX-License-Identifier: GPL-2.0-only
#include "traces/output-files.h"

#include <cstddef>
#include <string_view>
#include <utility>

namespace tcpsweep
{

namespace
{

/**
 * @param name a trace's name
 * @return whether its values are seconds, not whole numbers
 */
bool
IsTime(std::string_view name)
{
    return name.size() > 2 && name.substr(name.size() - 2) == "_s";
}

} // namespace

std::string
TracedQueue::Name() const
{
    return (link == "bottleneck" ? "queue" : "queue-" + link) +
           (direction == Direction::REVERSE ? "_reverse" : "");
}

OutputFiles::OutputFiles(const Capture& capture, const std::vector<TracedQueue>& traced)
{
    std::vector<std::string> traces;
    for (const auto& name : TraceNames())
    {
        if (capture.traces.count(name))
        {
            traces.push_back(name);
        }
    }
    std::vector<std::string> queues;
    if (capture.queue)
    {
        m_queuesTraced = traced;
        for (const auto& queue : traced)
        {
            queues.push_back(queue.Name());
        }
    }
    if (capture.text)
    {
        for (const auto* names : {&traces, &queues})
        {
            for (const auto& name : *names)
            {
                m_texts.try_emplace(name, capture.folder / (name + ".txt"));
            }
        }
    }
    const auto writeText = [this](const auto& series)
    {
        if (!m_texts.empty())
        {
            WriteText(series);
        }
    };
    if (!traces.empty())
    {
        m_traces.emplace(capture.folder / "traces.columns", traces, writeText);
    }
    if (!queues.empty())
    {
        m_queues.emplace(capture.folder / "queue.columns", queues, writeText);
    }
}

TraceSeries*
OutputFiles::Trace(const std::string& name)
{
    return m_traces ? m_traces->Find(name) : nullptr;
}

QueueSeries*
OutputFiles::Queue(const TracedQueue& queue)
{
    return m_queues ? m_queues->Find(queue.Name()) : nullptr;
}

void
OutputFiles::BeforeClose(std::function<void()> write)
{
    m_beforeClose.push_back(std::move(write));
}

void
OutputFiles::Close(Checksums& checksums)
{
    for (const auto& write : m_beforeClose)
    {
        write();
    }
    if (m_traces)
    {
        m_traces->Close(checksums);
    }
    if (m_queues)
    {
        m_queues->Close(checksums);
    }
    for (auto& [name, text] : m_texts)
    {
        text.Close(checksums);
    }
}

void
OutputFiles::Write(JsonWriter& json) const
{
    json.Key("traces").BeginObject();
    if (m_traces)
    {
        for (const auto& series : m_traces->All())
        {
            json.Member(series.Name(), series.Rows());
        }
    }
    json.EndObject();
    json.Key("queue").BeginArray();
    for (std::size_t i = 0; i < m_queuesTraced.size(); ++i)
    {
        json.BeginObject()
            .Member("link", m_queuesTraced[i].link)
            .Member("direction", std::string(NameOf(m_queuesTraced[i].direction)))
            .Member("rows", m_queues->All()[i].Rows())
            .EndObject();
    }
    json.EndArray();
}

TextRows&
OutputFiles::Text(const std::string& name)
{
    return m_texts.at(name);
}

void
OutputFiles::WriteText(const std::vector<TraceSeries>& traces)
{
    for (const auto& trace : traces)
    {
        auto& text = Text(trace.Name());
        const bool isTime = IsTime(trace.Name());
        for (std::size_t row = 0; row < trace.Times().size(); ++row)
        {
            const int64_t value = trace.Column<0>()[row];
            text.Seconds(trace.Times()[row]).Number(trace.Column<1>()[row]);
            if (isTime)
            {
                text.Seconds(value).End();
            }
            else
            {
                text.Number(value).End();
            }
        }
    }
}

void
OutputFiles::WriteText(const std::vector<QueueSeries>& queues)
{
    for (const auto& queue : queues)
    {
        auto& text = Text(queue.Name());
        for (std::size_t row = 0; row < queue.Times().size(); ++row)
        {
            text.Seconds(queue.Times()[row])
                .Letter(queue.Column<5>()[row])
                .Number(queue.Column<2>()[row])
                .Number(queue.Column<3>()[row])
                .Seconds(queue.Column<0>()[row])
                .Number(queue.Column<4>()[row])
                .Number(queue.Column<1>()[row])
                .End();
        }
    }
}

} // namespace tcpsweep
