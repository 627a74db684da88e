// SPDX-License-Identifier: MIT
// Over time: one run of each variant in the same network, side by side, all with the same scales.
function startOverTime() {
  const root = document.getElementById("over-time-figure");
  if (!root || !data.overTime) return;
  const TITLES = { window: "window [segments]", RTT: "RTT [ms]", queue: "queue [packets]", rate: "rate [Mbit/s]" };
  const LEAST_WIDTH = 120;
  const numbers = new Map(data.series.map(([name], number) => [name, number]));
  figure(root, (width) => {
    const runs = data.overTime.runs.filter(({ combination }) => isShown(combination));
    if (!runs.length) return "Nothing is shown.";
    const names = runs.map(({ combination }) => nameOf(variantOf(combination)));
    const own = Math.max(LEAST_WIDTH, Math.floor((width - 40) / runs.length) - 14);
    const shown = new Set(runs.flatMap(({ combination, lines }) => [numbers.get(variantOf(combination)), ...lines.map((line) => numbers.get(line.variant))]));
    const charts = Object.entries(TITLES).flatMap(([kind, said], place) => {
      let title = said;
      const rows = runs.flatMap(({ combination, lines }, i) => lines.filter((line) => line.kind === kind).flatMap((line) => {
        const whole = variantOf(combination), variant = line.variant ?? whole;
        const mine = lines.filter((other) => other.kind === kind && other.variant === line.variant).map((other) => other.flow);
        return line.t.map((time, at) => ({
          time, value: line.v[at], flow: line.flow, faint: line.flow > Math.min(...mine),
          series: nameOf(variant), number: numbers.get(variant), column: names[i],
        }));
      }));
      if (!rows.length) return [];
      const spec = structuredClone(data.charts["over time"]);
      spec.encoding.color.scale = scales(shown).color;
      spec.encoding.y.axis = { ...spec.encoding.y.axis, minExtent: 34 };  // panels and titles of all rows begin at one place
      spec.encoding.x.scale.domain = [data.overTime.begin, data.overTime.end];
      // A window without a limit would make all others a line at zero.
      const sorted = rows.map((row) => row.value).sort((a, b) => a - b), most = sorted.at(-1);
      const usual = 2 * sorted[Math.floor(0.98 * (sorted.length - 1))], cut = usual > 0 && most > 2 * usual;
      if (cut) spec.encoding.y.scale = { domain: [0, usual], nice: true };
      if (cut) title += ", higher values cut off";
      const header = place ? { labels: false, title: null } : { title: null };
      return [{
        title: { text: title, anchor: "start", fontSize: 12, fontWeight: "normal", color: "var(--ink)", offset: 2 },
        data: { values: rows }, facet: { column: { field: "column", type: "nominal", sort: names, header } }, spacing: 14,
        spec: { ...spec, width: own, height: 90 },
      }];
    });
    return charts.length ? { vconcat: charts, spacing: 6 } : "Nothing was traced.";
  });
  const list = document.getElementById("over-time-cells");
  list.append(...data.overTime.runs.flatMap(({ combination, run, cell }, i) => {
    const name = Object.assign(document.createElement("span"), { textContent: nameOf(variantOf(combination)) });
    name.dataset.series = variantOf(combination);
    const link = data.pages === null ? document.createTextNode(`run ${run}`)
      : Object.assign(document.createElement("a"), { href: `${data.pages}${encodeURIComponent(cell)}.html`, textContent: `run ${run}` });
    return [i ? "; " : "", name, " ", link];
  }));
}
