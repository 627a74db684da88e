// SPDX-License-Identifier: MIT
#include "capture-file.h"

#include "damage.h"
#include "pcap-file.h"
#include "pcapng-file.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace tcpsweep
{

namespace
{

/// Other file types that a user may take for a capture, with advice.
struct OtherKind
{
    std::string_view begin; //!< its first bytes
    const char* what;       //!< its description
};

constexpr OtherKind OTHER_KINDS[] = {
    {"\x1f\x8b", "a gzip file, expected a pcap or pcapng file; `gunzip` unpacks it"},
    {"\x28\xb5\x2f\xfd", "a zstd file, expected a pcap or pcapng file; `unzstd` unpacks it"},
    {"\x04\x22\x4d\x18", "an lz4 file, expected a pcap or pcapng file; `unlz4` unpacks it"},
    {"\xfd"
     "7zXZ",
     "an xz file, expected a pcap or pcapng file; `unxz` unpacks it"},
    {"BZh", "a bzip2 file, expected a pcap or pcapng file; `bunzip2` unpacks it"},
    {"PK\x03\x04", "a zip file, expected a pcap or pcapng file; `unzip` unpacks it"},
    {"\x34\xcd\xb2\xa1",
     "a pcap file of Kuznetzov's modified form; `editcap -F pcap` makes a plain one of it"},
    {"\xa1\xb2\xcd\x34",
     "a pcap file of Kuznetzov's modified form; `editcap -F pcap` makes a plain one of it"},
    {"snoop", "a snoop file; `editcap -F pcap` makes a pcap file of it"},
};

} // namespace

std::unique_ptr<CaptureFile>
OpenCaptureFile(FileBlocks::Read read)
{
    constexpr size_t LONGEST_BEGIN = 5;
    FileBlocks blocks(std::move(read));
    const size_t size = std::min(blocks.Fill(LONGEST_BEGIN), LONGEST_BEGIN);
    if (!size)
    {
        throw Damage(0, "the file is empty");
    }
    const std::string_view begin(reinterpret_cast<const char*>(blocks.Data()), size);
    if (PcapFile::IsOne(begin))
    {
        return std::make_unique<PcapFile>(std::move(blocks));
    }
    if (PcapngFile::IsOne(begin))
    {
        return std::make_unique<PcapngFile>(std::move(blocks));
    }
    const auto* other =
        std::find_if(std::begin(OTHER_KINDS),
                     std::end(OTHER_KINDS),
                     [&](const OtherKind& kind) { return begin.starts_with(kind.begin); });
    throw Damage(0, other == std::end(OTHER_KINDS) ? "not a pcap or pcapng file" : other->what);
}

} // namespace tcpsweep
