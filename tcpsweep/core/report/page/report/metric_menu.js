// SPDX-License-Identifier: MIT
// Menus of metrics, and a metric's definition in a line.
import { data } from "../frame/page_data.js";
import { element, groupBy } from "../shared/elements.js";
import { titled } from "./points.js";

/** Fill a menu with all metrics, in their groups. */
export function fillMetricMenu(select) {
  const groups = groupBy(Object.entries(data.metrics), ([, metric]) => metric.group);
  const options = (members) => members.map(([name, metric]) => new Option(titled(metric), name));
  select.replaceChildren(...[...groups].map(([label, members]) => element("optgroup", { label }, ...options(members))));
}

/** Show a metric's definition, with a link to its place in the list of all metrics. */
export function define(line, name) {
  const metric = data.metrics[name];
  line.hidden = !metric;
  if (!metric) return;
  const link = element("a", { href: `#metric-${name}`, textContent: "more" });
  link.setAttribute("aria-label", `More on ${metric.title}`);
  line.replaceChildren(`${metric.title}: ${metric.formula}. `, link);
  const said = { href: "#known-defects", className: "defects", textContent: metric.touched };
  if (metric.touched) line.append(" ", element("a", said));
}
