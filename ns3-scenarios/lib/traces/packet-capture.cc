// SPDX-License-Identifier: GPL-2.0-only
#include "traces/packet-capture.h"

#include "options/errors.h"

#include <ns3/boolean.h>
#include <ns3/node.h>
#include <ns3/packet.h>
#include <ns3/point-to-point-helper.h>
#include <ns3/simulator.h>
#include <ns3/trace-helper.h>

#include <cerrno>
#include <cstring>

namespace tcpsweep
{

namespace
{

/**
 * @param path a file that failed
 * @return the error to throw
 */
OutputError
CannotWrite(const std::filesystem::path& path)
{
    return OutputError(path.string() + ": cannot be written: " + std::strerror(errno));
}

/**
 * @param path the file
 * @param linkType link type of its frames, a number of pcap's registry
 * @param snaplen how many bytes of each frame it keeps
 * @return the open file. Its times are in nanoseconds like ns-3's: in microseconds, packets of a
 * fast link would have the same time
 */
ns3::Ptr<ns3::PcapFileWrapper>
OpenPcap(const std::filesystem::path& path, uint32_t linkType, uint32_t snaplen)
{
    const auto file = ns3::CreateObject<ns3::PcapFileWrapper>();
    file->SetAttribute("NanosecMode", ns3::BooleanValue(true));
    errno = 0;
    file->Open(path.string(), std::ios::out);
    file->Init(linkType, snaplen);
    if (file->Fail())
    {
        throw CannotWrite(path);
    }
    return file;
}

/**
 * @param file where the packet goes
 * @param packet a packet that an interface sends or has received
 */
void
Record(ns3::Ptr<ns3::PcapFileWrapper> file, ns3::Ptr<const ns3::Packet> packet)
{
    file->Write(ns3::Simulator::Now(), packet);
}

} // namespace

PacketCapture::PacketCapture(const Capture& capture, const std::vector<Interface>& interfaces)
{
    const auto count = capture.pcap == Capture::Pcap::ALL          ? interfaces.size()
                       : capture.pcap == Capture::Pcap::BOTTLENECK ? 1
                                                                   : 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto& interface = interfaces[i];
        const auto path = capture.folder / (interface.label + ".pcap");
        const auto snaplen = capture.snaplen.value_or(interface.headersBytes);
        m_files.push_back({path, interface, OpenPcap(path, interface.linkType, snaplen)});
        interface.connect(ns3::MakeBoundCallback(&Record, m_files.back().packets));
    }
    if (capture.ascii)
    {
        m_asciiPath = capture.folder / "ascii.tr";
        errno = 0;
        m_ascii = ns3::Create<ns3::OutputStreamWrapper>(m_asciiPath.string(), std::ios::out);
        ns3::PointToPointHelper().EnableAsciiAll(m_ascii);
    }
}

void
PacketCapture::Close()
{
    for (auto& file : m_files)
    {
        file.packets->Close();
        if (file.packets->Fail())
        {
            throw CannotWrite(file.path);
        }
    }
    if (m_ascii && !m_ascii->GetStream()->flush())
    {
        throw CannotWrite(m_asciiPath);
    }
}

void
PacketCapture::Write(JsonWriter& json) const
{
    json.BeginArray();
    for (const auto& file : m_files)
    {
        const auto device = file.interface.device;
        json.BeginObject()
            .Member("file", file.path.filename().string())
            .Member("bytes", uint64_t{std::filesystem::file_size(file.path)})
            .Member("interface", file.interface.label)
            .Member("node", device->GetNode()->GetId())
            .Member("device", device->GetIfIndex())
            .Member("link_type", file.interface.linkType)
            .EndObject();
    }
    if (m_ascii)
    {
        json.BeginObject()
            .Member("file", m_asciiPath.filename().string())
            .Member("bytes", uint64_t{std::filesystem::file_size(m_asciiPath)})
            .EndObject();
    }
    json.EndArray();
}

} // namespace tcpsweep
