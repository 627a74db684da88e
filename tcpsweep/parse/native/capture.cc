// SPDX-License-Identifier: MIT
#include "capture.h"

#include "damage.h"
#include "table.h"

#include <utility>

namespace tcpsweep
{

Capture::Capture(CaptureFile::Read read, Flows flows)
    : m_file(std::move(read)),
      m_decoder(m_file.LinkType()),
      m_index(std::move(flows))
{
}

Capture::~Capture()
{
    ReleaseBlock();
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
        while (!m_fault && table.Size() < rows && m_file.Next(frame))
        {
            const auto decoded = m_decoder.Decode(frame, packet);
            m_frames++;
            m_headless += decoded == Decoded::HEADLESS;
            if (decoded == Decoded::PACKET)
            {
                m_cut += packet.isCut;
                table.Append(frame.time_ns, packet, m_index);
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

const std::string&
Capture::Summary()
{
    std::string others;
    for (const auto& [name, count] : m_decoder.Others())
    {
        others += (others.empty() ? "\"" : ", \"") + name + "\": " + std::to_string(count);
    }
    // None of the texts holds a character that JSON would have escaped.
    m_summary = "{\"frames\": " + std::to_string(m_frames) +
                ", \"rows\": " + std::to_string(m_rows) + ", \"cut\": " + std::to_string(m_cut) +
                ", \"headless\": " + std::to_string(m_headless) + ", \"others\": {" + others + "}";
    if (m_fault)
    {
        m_summary += ", \"offset\": " + std::to_string(m_fault->offset) + ", \"fault\": \"" +
                     m_fault->what + "\"";
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
