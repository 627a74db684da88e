// SPDX-License-Identifier: MIT
// The script of cells' pages and of pages of imported captures. Python writes `timelineCharts` before it.
import { startScheme } from "../shared/scheme.js";
import { startSortedTables } from "../shared/tables.js";
import { startNetwork } from "./network.js";
import { startTimeline } from "./timeline.js";

startScheme();
startSortedTables();
startNetwork();
startTimeline(timelineCharts);
