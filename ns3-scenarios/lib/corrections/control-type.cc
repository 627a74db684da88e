// SPDX-License-Identifier: GPL-2.0-only
#include "corrections/control-type.h"

#include "corrections/cubic.h"
#include "corrections/linux-bbr.h"
#include "corrections/reno.h"

#include <ns3/tcp-bbr.h>
#include <ns3/tcp-cubic.h>
#include <ns3/tcp-linux-reno.h>

namespace tcpsweep
{

ns3::TypeId
ControlType(ns3::TypeId variant, const Corrections& corrections)
{
    if (corrections.bbr && variant == ns3::TcpBbr::GetTypeId())
    {
        return LinuxBbr::GetTypeId();
    }
    if (corrections.cubic && variant == ns3::TcpCubic::GetTypeId())
    {
        return Cubic::GetTypeId();
    }
    if (corrections.reno && variant == ns3::TcpLinuxReno::GetTypeId())
    {
        return Reno::GetTypeId();
    }
    return variant;
}

} // namespace tcpsweep
