// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_PACKET_CAPTURE_H
#define TCPSWEEP_PACKET_CAPTURE_H

#include "network/interface.h"
#include "output/json.h"
#include "output/output-file.h"
#include "traces/capture.h"

#include <ns3/packet.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tcpsweep
{

/// The capture files of one simulation: pcap files of interfaces, and ns-3's ascii trace.
class PacketCapture
{
  public:
    /**
     * Capture from now on. Do so before any packet is made: an ascii trace shows only headers that
     * ns-3 was asked to keep before.
     *
     * @param capture the files to make, and their folder
     * @param interfaces all interfaces, the bottleneck's first
     * @throws OutputError
     */
    PacketCapture(const Capture& capture, const std::vector<Interface>& interfaces);

    PacketCapture(const PacketCapture&) = delete;
    PacketCapture& operator=(const PacketCapture&) = delete;

    /**
     * Write the remaining frames and close the files.
     *
     * @param checksums gets theirs
     * @throws OutputError
     */
    void Close(Checksums& checksums);

    /**
     * Write a list of the closed files: `file`, `bytes`, and of pcap files `interface`, `node`,
     * `device`, `link_type`.
     *
     * @param json the writer, which receives a value
     */
    void Write(JsonWriter& json) const;

  private:
    /// A pcap file of an interface. Its times are in nanoseconds like ns-3's: in microseconds,
    /// packets of a fast link would have the same time.
    class PcapFile
    {
      public:
        /**
         * @param path the file
         * @param interface the interface whose packets it has
         * @param snaplen the number of bytes to keep of each frame
         * @throws OutputError
         */
        PcapFile(const std::filesystem::path& path, const Interface& interface, uint32_t snaplen);

        /// @param packet a frame that the interface sends or has received
        void Add(ns3::Ptr<const ns3::Packet> packet);

        OutputFile file;     //!< the file
        Interface interface; //!< the captured interface

      private:
        std::vector<uint8_t> m_record; //!< room for a packet's record
        uint32_t m_snaplen;            //!< the number of bytes to keep of each frame
    };

    std::vector<std::unique_ptr<PcapFile>> m_files; //!< the pcap files
    std::unique_ptr<OutputFile> m_asciiFile;        //!< the ascii trace; nullptr if there is none
    std::unique_ptr<OutputStream> m_asciiStream;    //!< writes to it
};

} // namespace tcpsweep

#endif // TCPSWEEP_PACKET_CAPTURE_H
