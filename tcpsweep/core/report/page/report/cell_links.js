// SPDX-License-Identifier: MIT
// Links to the pages of cells.
import { data } from "../frame/page_data.js";
import { element } from "../shared/elements.js";

/** A link to a run's page; its text, with the cell's id if `withId`, where cells have no pages. */
export function runLink(run, cell, pages = data.pages, withId = false) {
  if (!pages) return document.createTextNode(withId ? `run ${run} (${cell})` : `run ${run}`);
  return element("a", { href: `${pages}${encodeURIComponent(cell)}.html`, textContent: `run ${run}` });
}

/** The runs of a combination, as links to their cells' pages. */
export function runLinks(combination) {
  return data.cells[combination].flatMap(([run, cell], i) => {
    const link = runLink(run, cell, data.pages, true);
    return i ? [", ", link] : [link];
  });
}

/** Show the cells of a mark that was clicked. */
export function showCells(details, datum) {
  if (datum?.combination === undefined) return;
  const words = `${datum.series}, ${datum.where}: ${datum.value}. Its cells: `;
  details.replaceChildren(element("p", {}, words, ...runLinks(datum.combination)));
}
