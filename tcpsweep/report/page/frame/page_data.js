// SPDX-License-Identifier: MIT
// The page's data, which stands in it as JSON; tcpsweep/report/sections/explorer.py says what it holds.
export const data = JSON.parse(document.getElementById("page-data").textContent);
