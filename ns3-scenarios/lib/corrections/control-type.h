// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_CONTROL_TYPE_H
#define TCPSWEEP_CONTROL_TYPE_H

#include "corrections/corrections.h"

#include <ns3/type-id.h>

namespace tcpsweep
{

/**
 * @param variant a congestion control of ns-3
 * @param corrections the corrections
 * @return the congestion control that stands in for it
 */
ns3::TypeId ControlType(ns3::TypeId variant, const Corrections& corrections);

} // namespace tcpsweep

#endif // TCPSWEEP_CONTROL_TYPE_H
