/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * What all scenarios share, compiled once for each ns-3: the files that are included here, and
 * all that they include.
 */

#include "scenario/scenario.h"
#include "scenario/wired-network.h"
