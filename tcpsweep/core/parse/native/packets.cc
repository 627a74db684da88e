// SPDX-License-Identifier: MIT
#include "packets.h"

#include "capture.h"
#include "damage.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unistd.h>

namespace
{

/// @return the ends of a flow's data packets
tcpsweep::Ends
EndsOf(const TcpsweepFlow& flow)
{
    return {tcpsweep::Address::Parse(flow.source),
            tcpsweep::Address::Parse(flow.destination),
            flow.sourcePort,
            flow.destinationPort,
            flow.protocol,
            true};
}

/// @return a reader of a file descriptor
tcpsweep::FileBlocks::Read
Reader(int descriptor)
{
    return [descriptor](uint8_t* place, size_t size)
    {
        ssize_t got;
        do
        {
            got = read(descriptor, place, size);
        } while (got < 0 && errno == EINTR);
        if (got < 0)
        {
            throw std::system_error(errno, std::generic_category());
        }
        return static_cast<size_t>(got);
    };
}

} // namespace

tcpsweep::Capture*
tcpsweep_capture_open(int descriptor,
                      const TcpsweepFlow* flows,
                      size_t count,
                      char* message,
                      size_t size)
{
    std::string said;
    try
    {
        tcpsweep::Flows known;
        for (size_t i = 0; i < count; i++)
        {
            known.Add(flows[i].number, EndsOf(flows[i]));
        }
        return new tcpsweep::Capture(Reader(descriptor), std::move(known));
    }
    catch (const tcpsweep::Damage& damage)
    {
        said = "offset " + std::to_string(damage.Offset()) + ": " + damage.what();
    }
    catch (const std::exception& error)
    {
        said = error.what();
    }
    const size_t length = std::min(said.size(), size - 1);
    std::memcpy(message, said.data(), length);
    message[length] = 0;
    return nullptr;
}

int
tcpsweep_capture_first(tcpsweep::Capture* capture, int64_t* time_ns)
{
    try
    {
        const auto found = capture->FirstTime();
        *time_ns = found.value_or(0);
        return found.has_value();
    }
    catch (const std::system_error& error)
    {
        return -error.code().value();
    }
}

void
tcpsweep_capture_base(tcpsweep::Capture* capture, int64_t base_ns)
{
    capture->SetBase(base_ns);
}

int64_t
tcpsweep_capture_next(tcpsweep::Capture* capture, size_t rows)
{
    try
    {
        return static_cast<int64_t>(capture->Next(rows));
    }
    catch (const std::system_error& error)
    {
        return -error.code().value();
    }
    catch (const std::bad_alloc&)
    {
        return -ENOMEM;
    }
    catch (const std::exception&)
    {
        return -EINVAL;
    }
}

ArrowSchema*
tcpsweep_capture_schema(tcpsweep::Capture* capture)
{
    return &capture->Schema();
}

ArrowArray*
tcpsweep_capture_array(tcpsweep::Capture* capture)
{
    return &capture->Array();
}

const char*
tcpsweep_capture_summary(tcpsweep::Capture* capture)
{
    return capture->Summary().c_str();
}

void
tcpsweep_capture_close(tcpsweep::Capture* capture)
{
    delete capture;
}
