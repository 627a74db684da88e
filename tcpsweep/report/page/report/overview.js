// SPDX-License-Identifier: MIT
// The overview's plane: a mark a variant at the mean of its networks, these small behind it, and the frontier.
function startOverview() {
  const root = document.getElementById("overview-plane");
  if (!root || !data.overview) return;
  figure(root, (width) => {
    const numbers = new Map(data.series.map(([name], number) => [name, number]));
    const rows = data.overview.rows.filter(([combination]) => isShown(combination)).map(([combination, x, y]) => {
      const name = variantOf(combination);
      return {
        kind: "network", combination, number: numbers.get(name), x, y, series: nameOf(name), where: whereOf(combination),
        value: `${short(x)}, ${short(y)}`, runs: "mean of its runs",
      };
    });
    if (!rows.length) return "Nothing is shown.";
    const groups = Map.groupBy ? Map.groupBy(rows, (row) => row.number) : grouped(rows, (row) => row.number);
    const mean = (own, field) => own.reduce((sum, row) => sum + row[field], 0) / own.length;
    const means = [...groups.values()].map((own) => ({
      ...own[0], kind: "mean", x: mean(own, "x"), y: mean(own, "y"), label: own[0].series, where: `mean of ${own.length} networks`,
      value: `${short(mean(own, "x"))}, ${short(mean(own, "y"))}`,
    }));
    // Nothing else has both less delay and more of the link.
    const best = means.filter((one) => !means.some((other) => other.x <= one.x && other.y >= one.y && (other.x < one.x || other.y > one.y)));
    const chart = filled(data.charts.overview, rows);
    const least = Math.min(...rows.map((row) => row.y)), most = Math.max(...rows.map((row) => row.y));
    const longest = 1.04 * Math.max(...rows.map((row) => row.x)) || 1;  // room for a mark at the edge
    const cut = least > 0.3 * most;
    const lowest = cut ? Math.min(least, 0.95 * most) : 0;  // so that what hardly differs looks so
    const highest = most + 0.04 * (most - lowest) || 1;
    // The frontier goes on to the axes, so that even one point has one: nothing is above it and to its right.
    best.sort((a, b) => a.x - b.x);
    const ends = [{ ...best[0], y: lowest }, ...best, { ...best.at(-1), x: longest }];
    const frontier = ends.map((one, order) => ({ ...one, kind: "frontier", order }));
    for (const layer of chart.layer) {
      Object.assign(layer.encoding.x, { title: `← ${data.overview.x}` });
      Object.assign(layer.encoding.x.scale, { domain: [0, longest], nice: false });
      layer.encoding.x.axis = { tickCount: 5 };
      Object.assign(layer.encoding.y, { title: cut ? `${data.overview.y} (cut) →` : `${data.overview.y} →` });
      Object.assign(layer.encoding.y.scale, { domain: [lowest, highest], nice: false });
      layer.encoding.y.axis = { tickCount: 5, format: ".3~g" };
    }
    const height = Math.max(230, Math.min(480, root.clientHeight - 75));
    spread(means, longest, lowest, highest, width - 50, height);
    for (const layer of chart.layer.filter((each) => each.mark.type === "text")) {
      for (const name of ["dx", "dy", "align", "limit"]) layer.mark[name] = { expr: `datum.${name}` };
    }
    // As wide as its panel with the labels of its axis, which take what they need.
    return { ...chart, data: { values: [...frontier, ...rows, ...means] }, width: width + EDGES, height, autosize: { type: "fit-x", contains: "padding" } };
  });
}
function grouped(rows, key) {
  const found = new Map();
  for (const row of rows) found.set(key(row), [...(found.get(key(row)) ?? []), row]);
  return found;
}
/** Set labels beside their marks so that they do not run into each other. */
function spread(means, longest, lowest, highest, width, height) {
  const tall = highest - lowest;
  const placed = [];
  for (const row of means.sort((a, b) => b.y - a.y)) {
    const x = width * (1 - row.x / longest), y = height * (1 - (row.y - lowest) / tall);
    row.align = x > width / 2 ? "right" : "left";
    row.dx = x > width / 2 ? -10 : 10;
    row.limit = Math.max(40, (x > width / 2 ? x : width - x) - 14);  // beside the mark
    let at = y;
    while (placed.some((other) => Math.abs(other - at) < 14)) at += 14;
    placed.push(at);
    row.dy = at - y;
  }
}
