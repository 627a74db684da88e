// SPDX-License-Identifier: MIT
// The start of the page's own scripts.
startToolbox();
startOverview();
startExplore();
startNetworks();
startTraffic();
startLinks();
startFairness();
startOverTime();
startResultColumns();
