// SPDX-License-Identifier: MIT
#include "capture.h"

#include "link-layer.h"
#include "table.h"

#include <utility>

namespace tcpsweep
{

namespace
{

/// @return any text in a form that is valid in JSON
std::string
Quoted(const std::string& text)
{
    std::string quoted = "\"";
    for (const char letter : text)
    {
        const bool isPlain = letter >= ' ' && letter <= '~' && letter != '"' && letter != '\\';
        quoted += isPlain ? letter : '?';
    }
    return quoted + "\"";
}

} // namespace

Capture::Capture(FileBlocks::Read read, Flows flows)
    : m_file(OpenCaptureFile(std::move(read))),
      m_index(std::move(flows))
{
    if (m_file->HasOneInterface())
    {
        m_decoders.push_back(std::make_unique<Decoder>(m_file->Interfaces().front().linkType));
    }
}

Capture::~Capture()
{
    ReleaseBlock();
}

std::optional<int64_t>
Capture::FirstTime()
{
    Frame frame;
    try
    {
        while (m_file->Next(frame))
        {
            if (frame.hasTime)
            {
                return frame.time_ns;
            }
        }
    }
    catch (const Damage&)
    {
        return std::nullopt; // the error is reported when the file is decoded
    }
    return std::nullopt;
}

size_t
Capture::Next(size_t rows)
{
    ReleaseBlock();
    m_index.BeginBlock();
    Table table(rows);
    Frame frame;
    Packet packet;
    try
    {
        while (!m_fault && table.Size() < rows && m_file->Next(frame))
        {
            const auto decoded = Decode(frame, packet);
            m_frames++;
            m_headless += decoded == Decoded::HEADLESS;
            if (decoded == Decoded::PACKET)
            {
                m_cut += packet.isCut;
                table.Append(TimeOf(frame), frame.interface, packet, m_index);
            }
        }
    }
    catch (const Damage& damage)
    {
        m_fault = {damage.Offset(), damage.what()};
    }
    m_rows += table.Size();
    table.HandOver(m_index, m_schema, m_array);
    return table.Size();
}

Decoded
Capture::Decode(const Frame& frame, Packet& packet)
{
    while (m_decoders.size() <= frame.interface)
    {
        const uint32_t linkType = m_file->Interfaces()[m_decoders.size()].linkType;
        m_decoders.push_back(IsKnownLink(linkType) ? std::make_unique<Decoder>(linkType) : nullptr);
    }
    if (!m_decoders[frame.interface])
    {
        m_unknown[m_file->Interfaces()[frame.interface].linkType]++;
        return Decoded::OTHER;
    }
    try
    {
        return m_decoders[frame.interface]->Decode(frame, packet);
    }
    catch (const Damage& damage)
    {
        Note(damage);
        packet.isCut = false;
        return packet.hasAddresses ? Decoded::PACKET : Decoded::HEADLESS;
    }
}

std::optional<int64_t>
Capture::TimeOf(const Frame& frame)
{
    constexpr int64_t BEYOND_NS = 1000000000000000000; // more digits than in the table's column
    int64_t time_ns;
    if (!frame.hasTime)
    {
        return std::nullopt;
    }
    if (frame.hasOddTime)
    {
        Note(Damage(frame.offset, "a time whose part of a second is a second or more"));
    }
    if (__builtin_sub_overflow(frame.time_ns, m_base_ns, &time_ns) || time_ns <= -BEYOND_NS ||
        time_ns >= BEYOND_NS)
    {
        Note(Damage(frame.offset,
                    "a time of " + std::to_string(frame.time_ns / 1000000000) +
                        " s, more than 31 years from the first"));
        return std::nullopt;
    }
    return time_ns;
}

void
Capture::Note(const Damage& damage)
{
    m_damaged++;
    if (!m_firstDamaged)
    {
        m_firstDamaged = {damage.Offset(), damage.what()};
    }
}

const std::string&
Capture::Summary()
{
    std::map<std::string, uint64_t> counts;
    for (const auto& decoder : m_decoders)
    {
        if (decoder)
        {
            decoder->AddOthers(counts);
        }
    }
    for (const auto& [linkType, count] : m_unknown)
    {
        counts["link type " + std::to_string(linkType)] += count;
    }
    std::string others;
    for (const auto& [name, count] : counts)
    {
        others += (others.empty() ? "" : ", ") + Quoted(name) + ": " + std::to_string(count);
    }
    std::string interfaces;
    for (const auto& interface : m_file->Interfaces())
    {
        interfaces += (interfaces.empty() ? "" : ", ") + Quoted(interface.name);
    }
    m_summary = "{\"frames\": " + std::to_string(m_frames) +
                ", \"rows\": " + std::to_string(m_rows) + ", \"cut\": " + std::to_string(m_cut) +
                ", \"headless\": " + std::to_string(m_headless) + ", \"others\": {" + others +
                "}, \"damaged\": " + std::to_string(m_damaged) + ", \"interfaces\": [" +
                interfaces + "]";
    const std::pair<const char*, const std::optional<Fault>&> faults[] = {
        {"first_damaged", m_firstDamaged},
        {"incomplete", m_fault},
    };
    for (const auto& [name, fault] : faults)
    {
        m_summary += std::string(", \"") + name + "\": " +
                     (fault ? Quoted("offset " + std::to_string(fault->offset) + ": " + fault->what)
                            : "null");
    }
    m_summary += "}";
    return m_summary;
}

void
Capture::ReleaseBlock()
{
    if (m_schema.release)
    {
        m_schema.release(&m_schema);
    }
    if (m_array.release)
    {
        m_array.release(&m_array);
    }
}

} // namespace tcpsweep
