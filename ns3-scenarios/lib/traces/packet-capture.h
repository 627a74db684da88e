// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_PACKET_CAPTURE_H
#define TCPSWEEP_PACKET_CAPTURE_H

#include "network/interface.h"
#include "output/json.h"
#include "traces/capture.h"

#include <ns3/output-stream-wrapper.h>
#include <ns3/pcap-file-wrapper.h>

#include <filesystem>
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
     * ns-3 was told beforehand to remember.
     *
     * @param capture which files to make, and where
     * @param interfaces all interfaces, the bottleneck's first
     * @throws OutputError
     */
    PacketCapture(const Capture& capture, const std::vector<Interface>& interfaces);

    PacketCapture(const PacketCapture&) = delete;
    PacketCapture& operator=(const PacketCapture&) = delete;

    /**
     * Write what is left and close the files.
     *
     * @throws OutputError
     */
    void Close();

    /**
     * Write a list of the closed files: `file`, `bytes`, and of pcap files `interface`, `node`,
     * `device`, `link_type`.
     *
     * @param json where it goes, as a value
     */
    void Write(JsonWriter& json) const;

  private:
    /// A pcap file and its interface.
    struct File
    {
        std::filesystem::path path;             //!< the file
        Interface interface;                    //!< whose packets it holds
        ns3::Ptr<ns3::PcapFileWrapper> packets; //!< the open file
    };

    std::vector<File> m_files;                  //!< the pcap files
    std::filesystem::path m_asciiPath;          //!< the ascii trace
    ns3::Ptr<ns3::OutputStreamWrapper> m_ascii; //!< the open trace; nullptr if there is none
};

} // namespace tcpsweep

#endif // TCPSWEEP_PACKET_CAPTURE_H
