// SPDX-License-Identifier: MIT
/**
 * @file
 * Decodes damaged captures; build it with sanitizers. `fuzz SEED COUNT FILE...` changes the files
 * at random, decodes the results and reads all decoded data.
 */
#include "capture.h"
#include "damage.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace
{

using Bytes = std::vector<uint8_t>;

/// Random numbers for the changes to a file.
class Dice
{
  public:
    /// @param seed the generator's seed
    explicit Dice(uint64_t seed)
        : m_engine(seed)
    {
    }

    /// @return a number from 0 to `end` - 1
    size_t
    Below(size_t end)
    {
        return std::uniform_int_distribution<size_t>(0, end - 1)(m_engine);
    }

  private:
    std::mt19937_64 m_engine; //!< the generator
};

/// Make one change to a file.
void
Change(Bytes& file, Dice& dice)
{
    if (file.empty())
    {
        return;
    }
    constexpr uint8_t EXTREMES[] = {0, 1, 0x7f, 0x80, 0xff};
    const size_t at = dice.Below(file.size());
    const size_t count = std::min(file.size() - at, 1 + dice.Below(40));
    const auto begin = file.begin() + static_cast<ptrdiff_t>(at);
    const auto end = begin + static_cast<ptrdiff_t>(count);
    switch (dice.Below(7))
    {
    case 0:
        *begin ^= static_cast<uint8_t>(1U << dice.Below(8));
        break;
    case 1:
        *begin = static_cast<uint8_t>(dice.Below(256));
        break;
    case 2:
        *begin = EXTREMES[dice.Below(std::size(EXTREMES))];
        break;
    case 3:
        std::fill(begin, std::min(end, begin + 4), EXTREMES[dice.Below(std::size(EXTREMES))]);
        break;
    case 4:
        file.erase(begin, end);
        break;
    case 5:
    {
        const Bytes copy(begin, end);
        file.insert(file.begin() + static_cast<ptrdiff_t>(dice.Below(file.size())),
                    copy.begin(),
                    copy.end());
        break;
    }
    default:
        file.resize(at);
    }
}

/// End the program unless a condition is true.
void
Expect(bool holds, const char* what)
{
    if (!holds)
    {
        std::fprintf(stderr, "fuzz: %s\n", what);
        std::abort();
    }
}

/// @return the sum of all bytes that a column's buffers should have, so that each of them is read
uint64_t
Read(const ArrowSchema& schema, const ArrowArray& array)
{
    const auto count = static_cast<size_t>(array.length);
    const auto sum = [](const void* data, size_t bytes)
    {
        uint64_t total = 0;
        for (size_t i = 0; i < bytes; i++)
        {
            total += static_cast<const uint8_t*>(data)[i];
        }
        return total;
    };
    uint64_t total = array.buffers[0] ? sum(array.buffers[0], (count + 7) / 8) : 0;
    const std::string format = schema.format;
    if (format == "+s")
    {
        for (int64_t i = 0; i < array.n_children; i++)
        {
            Expect(array.children[i]->length == array.length,
                   "a column's length is not the table's");
            total += Read(*schema.children[i], *array.children[i]);
        }
    }
    else if (format == "+L")
    {
        const auto* offsets = static_cast<const int64_t*>(array.buffers[1]);
        Expect(std::is_sorted(offsets, offsets + count + 1) && offsets[0] == 0, "offsets fall");
        Expect(array.children[0]->length == offsets[count], "a list's length is not its items'");
        total += Read(*schema.children[0], *array.children[0]);
    }
    else if (format == "vu")
    {
        const auto* views = static_cast<const int32_t*>(array.buffers[1]);
        const auto letters = *static_cast<const int64_t*>(array.buffers[3]);
        for (size_t i = 0; i < count; i++)
        {
            const auto* view = views + 4 * i;
            Expect(view[0] > 0 && view[0] < 46, "no address is that long");
            Expect(view[0] <= 12 || (view[2] == 0 && view[3] + view[0] <= letters),
                   "a text runs over");
        }
        total += sum(array.buffers[2], static_cast<size_t>(letters));
    }
    else
    {
        const size_t bytes = format == "g" || format == "l"   ? 8
                             : format == "i" || format == "I" ? 4
                             : format == "S"                  ? 2
                                                              : 1;
        total += sum(array.buffers[1], count * bytes);
    }
    return total;
}

/// The outcomes for the files.
struct Totals
{
    uint64_t refused{0};    //!< files that are not captures
    uint64_t incomplete{0}; //!< files that are damaged after their header
    uint64_t rows{0};       //!< packets
    uint64_t bytes{0};      //!< sum of all bytes, to make sure that they are read
};

/// @return a reader that returns a file in pieces of random size
tcpsweep::FileBlocks::Read
Pieces(const Bytes& file, Dice& dice)
{
    return [&file, &dice, at = size_t{0}](uint8_t* place, size_t size) mutable
    {
        const size_t count = std::min({size, file.size() - at, 1 + dice.Below(5000)});
        std::memcpy(place, file.data() + at, count);
        at += count;
        return count;
    };
}

/// Decode a file into a table.
void
DecodeTable(const Bytes& file, Dice& dice, Totals& totals)
{
    const size_t most = 1 + dice.Below(50);
    tcpsweep::Capture capture(Pieces(file, dice), {});
    size_t rows = most;
    size_t all = 0;
    while (rows == most)
    {
        rows = capture.Next(most);
        all += rows;
        totals.bytes += Read(capture.Schema(), capture.Array());
    }
    Expect(all * 12 <= file.size(), "more packets than fit into the file");
    totals.rows += all;
    totals.incomplete += capture.Summary().find("\"fault\"") != std::string::npos;
}

/// Decode each frame of a file in memory that ends with the frame, so that a sanitizer detects
/// reading after its end.
void
DecodeFrames(const Bytes& file, Dice& dice)
{
    const auto capture = tcpsweep::OpenCaptureFile(Pieces(file, dice));
    std::map<uint32_t, tcpsweep::Decoder> decoders;
    tcpsweep::Frame frame;
    tcpsweep::Packet packet;
    while (capture->Next(frame))
    {
        const uint32_t linkType = capture->Interfaces()[frame.interface].linkType;
        auto& decoder = decoders.try_emplace(linkType, linkType).first->second;
        if (dice.Below(2))
        {
            frame.captured = static_cast<uint32_t>(dice.Below(frame.captured + size_t{1}));
        }
        const auto alone = std::make_unique<uint8_t[]>(frame.captured);
        std::copy_n(frame.data, frame.captured, alone.get());
        frame.data = alone.get();
        try
        {
            decoder.Decode(frame, packet);
        }
        catch (const tcpsweep::Damage&)
        {
            continue; // only the frame is damaged
        }
    }
}

} // namespace

int
main(int argc, char** argv)
{
    if (argc < 4)
    {
        std::fprintf(stderr, "usage: fuzz SEED COUNT FILE...\n");
        return 2;
    }
    Dice dice(std::strtoull(argv[1], nullptr, 10));
    std::vector<Bytes> files;
    for (int i = 3; i < argc; i++)
    {
        std::ifstream file(argv[i], std::ios::binary);
        files.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    Totals totals;
    const auto count = std::strtoull(argv[2], nullptr, 10);
    for (uint64_t i = 0; i < count; i++)
    {
        auto file = files[dice.Below(files.size())];
        for (size_t changes = dice.Below(4) + 1; changes; changes--)
        {
            Change(file, dice);
        }
        try
        {
            DecodeTable(file, dice, totals);
        }
        catch (const tcpsweep::Damage&)
        {
            totals.refused++;
        }
        try
        {
            DecodeFrames(file, dice);
        }
        catch (const tcpsweep::Damage&)
        {
            continue; // the table also ends here
        }
    }
    std::printf("%llu files: %llu refused, %llu incomplete, %llu packets\n",
                static_cast<unsigned long long>(count),
                static_cast<unsigned long long>(totals.refused),
                static_cast<unsigned long long>(totals.incomplete),
                static_cast<unsigned long long>(totals.rows));
    return 0;
}
