// SPDX-License-Identifier: MIT
// The series of figures and tables: their names, colours and shapes, and which of them the reader hides or highlights.
import { data } from "../frame/page_data.js";

/** The reader's choices in the toolbox: variants to their new names, hidden variants, highlighted ones. */
export const renamed = new Map();
export const hidden = new Set();
export const marked = new Set();

const NOBODY = "none"; // in a mix, instead of a variant without its flows
const { printed } = data.variants;
const turnsOf = (mix) => mix.split("+").filter((name) => name !== NOBODY);

/** The page's name of a variant or a mix: the reader's, or the name for print. */
export const nameOfVariant = (name) =>
  renamed.get(name) ??
  turnsOf(name)
    .map((part) => renamed.get(part) ?? printed[part] ?? part)
    .join("+");

/** The page's name of a series: a variant, a mix, or "variant in mix", which is named by the variants next to it. */
export function nameOf(series) {
  const [own, mix] = series.split(" in ");
  if (mix === undefined) return nameOfVariant(series);
  const others = [...new Set(turnsOf(mix))].filter((name) => name !== own);
  const isByMix = renamed.has(mix) || !others.length || printed[series]?.includes(" in ");
  if (isByMix) return `${nameOfVariant(own)} in ${nameOfVariant(mix)}`;
  return `${nameOfVariant(own)} (next to ${others.map(nameOfVariant).join(" and ")})`;
}

/** The name of a series that is given by its number. */
export const nameOfNumber = (number) => nameOf(data.series[number][0]);

const numbers = new Map(data.series.map(([name], number) => [name, number]));

/** The number of a series that is given by its name; undefined if it has none. */
export const numberOf = (series) => numbers.get(series);

export const variantOf = (combination) => data.variants.names[data.variants.of[combination]];
export const isShown = (combination) => !hidden.has(variantOf(combination));

/** Whether a series is faint because others are highlighted; a highlighted mix includes its "variant in mix". */
export function isFaint(series) {
  return marked.size > 0 && !marked.has(series) && !marked.has(series.split(" in ").at(-1));
}

/** The colour of a series that is given by its name. */
export const colourOf = (series) => (isFaint(series) ? "var(--faint)" : data.series[numberOf(series)][1]);

/** The scales of the series with these numbers, in the sweep's order: names, colours, shapes, dashes. */
export function scalesOf(wanted) {
  const present = data.series.filter((_, number) => wanted.has(number));
  const domain = present.map(([name]) => nameOf(name));
  return {
    colours: { domain, range: present.map(([name]) => colourOf(name)) },
    shapes: { domain, range: present.map((series) => series[2]) },
    dashes: { domain, range: present.map((series) => series[3]) },
  };
}

/** An element with the name of a series, which changes when the reader renames it. */
export function nameElement(series) {
  const name = document.createElement("span");
  name.dataset.series = series;
  name.textContent = nameOf(series);
  return name;
}
