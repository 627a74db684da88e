// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/kernel-clock.h"

#include <ctime>

namespace tcpsweep
{

NS_OBJECT_ENSURE_REGISTERED(KernelClock);

ns3::TypeId
KernelClock::GetTypeId()
{
    static const ns3::TypeId tid = ns3::TypeId("tcpsweep::KernelClock").SetParent<ns3::Object>();
    return tid;
}

int64_t
ReadClock()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * NANOSECONDS_PER_S + now.tv_nsec;
}

} // namespace tcpsweep
