// SPDX-License-Identifier: MIT
// Networks: small multiples, one a network, all with the same scales; and below, each network's runs.
const MOST_NETWORKS = 24;
function startNetworks() {
  const root = document.getElementById("networks-figure");
  if (!root) return;
  const select = document.querySelector("#networks select[name=networks-metric]");
  const more = document.getElementById("networks-more");
  const details = document.querySelector("#networks > .details");
  let most = MOST_NETWORKS;
  metricMenu(select);
  const own = figure(root, (width) => {
    const name = select.value, metric = data.metrics[name];
    define(document.querySelector("#networks .definition"), name);
    const all = pointsOf(name), networks = [...new Set(all.map(({ combination }) => networkOf(combination)))];
    const kept = new Set(networks.slice(0, most));
    more.hidden = networks.length <= most;
    more.textContent = `Show all ${networks.length} networks`;
    // A row of panels holds whole runs of the last axis' values, so that panels below each other differ in one value.
    const fitting = Math.max(1, Math.floor(width / 240)), last = networkAxes.at(-1)?.values.length ?? 1;
    const columns = kept.size <= fitting ? kept.size : last <= fitting ? last * Math.floor(fitting / last) : fitting;
    const wide = Math.max(150, Math.floor((width + 20) / columns) - 22);
    const rows = all.filter(({ combination }) => kept.has(networkOf(combination))).map((point) => ({
      ...words(point, metric), combination: point.combination, number: point.apart,
      network: inLines(whereOf(point.combination) || "the network", wide, data.look).join("\n"),
      mean: point.mean, low: point.low ?? point.mean, high: point.high ?? point.mean,
    })).sort((a, b) => a.number - b.number);
    if (!rows.length) return "No cell has a value of it.";
    const chart = filled(data.charts.networks, rows, [], {}, width);
    const least = Math.min(...rows.map((row) => row.low)), most_ = Math.max(...rows.map((row) => row.high));
    const means = rows.map((row) => row.mean);
    const scale = isWide(metric, Math.min(...means), Math.max(...means))
      ? { type: "log", domainMin: Math.min(...means) / 2, clamp: true } : { zero: least >= 0 && least < 0.7 * most_ };
    for (const layer of chart.layer) {
      layer.encoding.x.scale = scale;
      layer.encoding.x.axis = { tickCount: 5 };
      layer.encoding.y.sort = data.series.map(([series]) => nameOf(series));
    }
    const count = new Set(rows.map((row) => row.number)).size;
    const order = [...new Set(rows.slice().sort((a, b) => a.combination - b.combination).map((row) => row.network))];
    return {
      title: { text: scale.zero === false ? `${titled(metric)}, axis cut` : titled(metric), anchor: "start", fontSize: 12, fontWeight: "normal", color: "var(--ink)" },
      facet: { field: "network", type: "nominal", title: null, sort: order, header: { labelExpr: "split(datum.label, '\\n')" } }, columns,
      resolve: { axis: { x: "independent" } }, spec: { ...chart, width: wide, height: Math.max(60, count * 17) }, data: { values: rows },
    };
  }, (view) => view.addEventListener("click", (_, item) => explain(details, item?.datum)));
  select.addEventListener("change", () => { section = "networks"; keep({ "networks-metric": select.value }); drawFigure(own); });
  more.addEventListener("click", () => { most = Infinity; drawFigure(own); });
  const read = () => {
    const asked = state.get("networks-metric");
    if (asked && data.metrics[asked]) select.value = asked;
    own.stale = true;
    if (own.seen) drawFigure(own);
  };
  listeners.push(read);
  read();
  listRuns();
}
/** The runs of each network, made when the list is opened. */
function listRuns() {
  const around = document.getElementById("networks-runs");
  around.addEventListener("toggle", () => {
    const list = around.querySelector("dl");
    if (list.childElementCount) return;
    for (const [network, own] of grouped([...data.combinations.keys()], (number) => whereOf(number) || "the network")) {
      const term = document.createElement("dt");
      term.textContent = network;
      list.append(term, ...own.map((number) => {
        const line = document.createElement("dd"), name = document.createElement("span");
        name.dataset.series = variantOf(number);
        name.textContent = nameOf(variantOf(number));
        line.append(name, ": ", ...(data.cells[number].length ? runsOf(number) : ["no finished run"]));
        line.dataset.variant = variantOf(number);
        return line;
      }));
    }
    applyToolbox();
  });
}
