// SPDX-License-Identifier: MIT
// Fairness: what part of a mix's goodput each variant gets, and for sweeps of pairs the matrix of these parts.
function startFairness() {
  const root = document.getElementById("fairness-figure");
  if (!root) return;
  const select = document.querySelector("#fairness select[name=mix]");
  const mixes = data.variants.names.filter((name) => name.includes("+"));
  const pairs = mixes.filter((name) => name.split("+").length === 2);
  const MATRIX = "matrix";
  select.replaceChildren(...mixes.map((name) => new Option(name, name)));
  if (pairs.length > 2) select.prepend(new Option("all pairs, mean of the networks", MATRIX));
  select.value = pairs.length > 2 ? MATRIX : mixes[0];
  /** The parts of a mix's goodput in each network: its variants' means, by how many flows of each there are. */
  const parts = (mix) => [...grouped(pointsOf("goodput_bps").filter(({ combination }) => variantOf(combination) === mix), (point) => point.combination)]
    .map(([combination, own]) => {
      const turns = mix.split("+"), weight = (name) => turns.filter((each) => each === name).length;
      const total = own.reduce((sum, point) => sum + point.mean * weight(data.series[point.own][0]), 0);
      const place = (point) => turns.indexOf(data.series[point.own][0]);
      return { combination, own: own.sort((a, b) => place(a) - place(b)).map((point) => ({ ...point, fair: weight(data.series[point.own][0]) / turns.length,
        part: total ? point.mean * weight(data.series[point.own][0]) / total : 0 })) };
    });

  function bars(width) {
    const found = parts(select.value), networks = found.map(({ combination }) => networkOf(combination) || "the network");
    // Bars have room for their labels beside the names of networks; where the window has not, the figure scrolls.
    const named = 7 * Math.min(36, Math.max(0, ...networks.map((name) => name.length))) + 20, whole = Math.max(width, named + 160);
    const rows = found.flatMap(({ combination, own }) => {
      let before = 0;
      return own.map((point, order) => {
        before += point.part;
        return {
          combination, number: point.own, series: nameOf(data.series[point.own][0]), part: point.part, order,
          middle: before - point.part / 2, label: point.part * (whole - named) > 36 ? `${Math.round(100 * point.part)} %` : "",
          network: networkOf(combination) || "the network", where: whereOf(combination), runs: String(point.runs), value: `${(100 * point.part).toFixed(1)} % of the mix's goodput`,
        };
      });
    });
    if (!rows.length) return "No cell has a value of it.";
    const chart = filled(data.charts.shares, rows, [], {}, width);
    const turns = select.value.split("+");
    if (whole - named < 300) chart.layer[0].encoding.x.axis.tickCount = 2;
    Object.assign(chart.layer[0].mark, { stroke: "var(--panel)", strokeWidth: 1.5 });
    for (const row of rows) row.ink = isFaint(data.series[row.number][0]) ? "var(--ink)" : `var(--on-${row.number})`;
    chart.layer[2].data = { values: turns.length === 2 ? [{ fair: 0.5 }] : [] };
    return { ...chart, data: { values: rows }, width: whole, height: 30 * new Set(networks).size, autosize: { type: "fit-x", contains: "padding" } };
  }
  function matrix(width) {
    const cells = pairs.filter((mix) => !hidden.has(mix)).flatMap((mix) => {
      const found = parts(mix).flatMap(({ own }) => own);
      return mix.split("+").map((own, i, both) => {
        const values = found.filter((point) => data.series[point.own][0] === own).map((point) => point.part);
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        return { variant: nameOf(own), network: nameOf(both[1 - i]), mean, series: nameOf(own), where: `beside ${nameOf(both[1 - i])}`,
          value: `${(100 * mean).toFixed(1)} %`, runs: `mean of ${values.length} networks`, label: `${Math.round(100 * mean)} %`, ink: Math.abs(mean - 0.5) < 0.25 ? "#16181b" : "#fff" };
      });
    }).filter((row) => Number.isFinite(row.mean));
    const chart = structuredClone(data.charts["heat map"]);
    Object.assign(chart.layer[0].encoding.color, { title: "share of the goodput", scale: { scheme: "purpleorange", domain: [0, 1], domainMid: 0.5 } });
    for (const layer of chart.layer) layer.encoding.x.title = "beside";
    const count = new Set(cells.map((row) => row.network)).size;
    return { ...chart, data: { values: cells }, width: { step: Math.max(30, Math.min(110, Math.floor((width - 160) / count))) }, height: { step: 34 } };
  }
  const own = figure(root, (width) => {
    if (select.value !== MATRIX && hidden.has(select.value)) return "This mix is hidden.";
    return select.value === MATRIX ? matrix(width) : bars(width);
  });
  select.addEventListener("change", () => { section = "fairness"; keep({ mix: select.value }); drawFigure(own); });
  const read = () => {
    if ([...select.options].some((option) => option.value === state.get("mix"))) select.value = state.get("mix");
    for (const option of select.options) if (option.value !== MATRIX) option.textContent = nameOf(option.value);
    own.stale = true;
    if (own.seen) drawFigure(own);
  };
  listeners.push(read);
  read();
}
