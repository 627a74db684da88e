// SPDX-License-Identifier: MIT
// The script of a sweep's report.
import { startFrame } from "../frame/frame.js";
import { startExplorer } from "./explorer.js";
import { startFairness } from "./fairness.js";
import { startFrontiers } from "./frontiers.js";
import { startLinks } from "./links.js";
import { startNetworks } from "./networks.js";
import { startOverTime } from "./over_time.js";
import { startOverview } from "./overview.js";
import { startResultColumns } from "./result_columns.js";
import { startToolbox } from "./toolbox.js";
import { startTraffic } from "./traffic.js";

startFrame(() => {
  startToolbox();
  startOverview();
  startExplorer();
  startNetworks();
  startTraffic();
  startLinks();
  startFrontiers();
  startFairness();
  startOverTime();
  startResultColumns();
});
