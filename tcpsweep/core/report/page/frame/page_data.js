// SPDX-License-Identifier: MIT
// The page's data, which it contains as JSON; tcpsweep/core/report/sections/explorer.py describes it.
export const data = JSON.parse(document.getElementById("page-data").textContent);
