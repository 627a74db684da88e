// SPDX-License-Identifier: GPL-2.0-only
#include "traces/packet-capture.h"

#include <ns3/node.h>
#include <ns3/output-stream-wrapper.h>
#include <ns3/point-to-point-helper.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <cstring>

namespace tcpsweep
{

namespace
{

/// The first bytes of a pcap file whose times have nanoseconds.
constexpr uint32_t NANOSECOND_PCAP = 0xa1b23c4d;
constexpr int64_t NANOSECONDS_IN_SECOND = 1000000000;

/// What a pcap file begins with.
struct PcapHeader
{
    uint32_t magic{NANOSECOND_PCAP}; //!< the format
    uint16_t major{2};               //!< its version
    uint16_t minor{4};               //!< its version
    int32_t zone{0};                 //!< seconds from UTC
    uint32_t accuracy{0};            //!< always 0
    uint32_t snaplen{0};             //!< the most bytes of a frame
    uint32_t linkType{0};            //!< link type of the frames, a number of pcap's registry
};

/// What a frame's record begins with.
struct PcapRecord
{
    uint32_t seconds;     //!< its time
    uint32_t nanoseconds; //!< its time, less the seconds
    uint32_t kept;        //!< the number of its bytes that follow
    uint32_t length;      //!< its length
};

} // namespace

PacketCapture::PcapFile::PcapFile(const std::filesystem::path& path,
                                  const Interface& interface,
                                  uint32_t snaplen)
    : file(path),
      interface(interface),
      m_record(sizeof(PcapRecord) + snaplen),
      m_snaplen(snaplen)
{
    PcapHeader header;
    header.snaplen = snaplen;
    header.linkType = interface.linkType;
    file.Write(&header, sizeof header);
}

void
PacketCapture::PcapFile::Add(ns3::Ptr<const ns3::Packet> packet)
{
    const int64_t now = ns3::Simulator::Now().GetNanoSeconds();
    const uint32_t length = packet->GetSize();
    const PcapRecord record{static_cast<uint32_t>(now / NANOSECONDS_IN_SECOND),
                            static_cast<uint32_t>(now % NANOSECONDS_IN_SECOND),
                            std::min(length, m_snaplen),
                            length};
    std::memcpy(m_record.data(), &record, sizeof record);
    packet->CopyData(m_record.data() + sizeof record, record.kept);
    file.Write(m_record.data(), sizeof record + record.kept);
}

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
        m_files.push_back(std::make_unique<PcapFile>(path, interface, snaplen));
        interface.connect(ns3::MakeCallback(&PcapFile::Add, m_files.back().get()));
    }
    if (capture.ascii)
    {
        m_asciiFile = std::make_unique<OutputFile>(capture.folder / "ascii.tr");
        m_asciiStream = std::make_unique<OutputStream>(*m_asciiFile);
        ns3::PointToPointHelper().EnableAsciiAll(
            ns3::Create<ns3::OutputStreamWrapper>(m_asciiStream.get()));
    }
}

void
PacketCapture::Close(Checksums& checksums)
{
    for (const auto& pcap : m_files)
    {
        pcap->file.Close();
        checksums.Add(pcap->file);
    }
    if (m_asciiFile)
    {
        m_asciiFile->Close();
        checksums.Add(*m_asciiFile);
    }
}

void
PacketCapture::Write(JsonWriter& json) const
{
    json.BeginArray();
    for (const auto& pcap : m_files)
    {
        const auto device = pcap->interface.device;
        json.BeginObject()
            .Member("file", pcap->file.Path().filename().string())
            .Member("bytes", pcap->file.Bytes())
            .Member("interface", pcap->interface.label)
            .Member("node", device->GetNode()->GetId())
            .Member("device", device->GetIfIndex())
            .Member("link_type", pcap->interface.linkType)
            .EndObject();
    }
    if (m_asciiFile)
    {
        json.BeginObject()
            .Member("file", m_asciiFile->Path().filename().string())
            .Member("bytes", m_asciiFile->Bytes())
            .EndObject();
    }
    json.EndArray();
}

} // namespace tcpsweep
