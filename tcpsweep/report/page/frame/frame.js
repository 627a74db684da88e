// SPDX-License-Identifier: MIT
// The start of a page with sections, and what a change of the window's width does.
import { startScheme } from "../shared/scheme.js";
import { followFirstAddress, startAddress } from "./address.js";
import { drawWhenIdle, redraw } from "./charts.js";
import { startContents, startMenu } from "./contents.js";
import { startTables } from "./data_tables.js";
import { startScrolling } from "./scrolling.js";
import { startTerms } from "./terms.js";

/** Start the page; `startSections` starts the page's own sections. */
export function startFrame(startSections = () => {}) {
  startScheme();
  startScrolling();
  startAddress();
  startContents();
  startSections();
  startTerms();
  startTables();
  followFirstAddress();
  startMenu();
  redrawAtNewWidths();
  drawWhenIdle();
}

function redrawAtNewWidths() {
  let width = document.documentElement.clientWidth;
  addEventListener("resize", () => {
    if (document.documentElement.clientWidth === width) return;
    width = document.documentElement.clientWidth;
    redraw();
  });
}
