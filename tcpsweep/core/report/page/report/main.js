// SPDX-License-Identifier: MIT
// The script of a sweep's report.
import { startFrame } from "../frame/frame.js";
import { startExplorer } from "./explorer.js";
import { startFairness } from "./fairness.js";
import { startLinks } from "./links.js";
import { startNetworks } from "./networks.js";
import { startOverTime } from "./over_time.js";
import { startOverview } from "./overview.js";
import { startResultColumns } from "./result_columns.js";
import { startToolbox } from "./toolbox.js";

startFrame(() => {
  startToolbox();
  startOverview();
  startExplorer();
  startNetworks();
  startLinks();
  startFairness();
  startOverTime();
  startResultColumns();
  for (const start of startsOfFeatures) start();
});
