// SPDX-License-Identifier: MIT
// Starts a page with sections, and handles changes of the window's width.
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
