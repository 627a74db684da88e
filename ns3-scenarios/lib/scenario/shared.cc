/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * The code that all scenarios share, compiled once for each ns-3: the files that are included here,
 * directly or indirectly.
 */

#include "scenario/scenario.h"
#include "scenario/wired-network.h"
