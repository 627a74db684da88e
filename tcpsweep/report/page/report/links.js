// SPDX-License-Identifier: MIT
// Links: the network of a combination that the reader chooses, with the load of its links.
function startLinks() {
  const root = document.querySelector("#links .network"), map = data.networks;
  if (!root || !map) return;
  const controls = root.querySelector(".controls"), own = {};
  const control = (name, title, options) => {
    const label = document.createElement("label"), select = document.createElement("select");
    select.name = `links ${name}`;
    select.append(...options.map(([value, said]) => new Option(said, value)));
    label.append(title, select);
    label.hidden = options.length < 2;
    controls.append(label);
    select.addEventListener("change", () => changed(name));
    return select;
  };
  own.metric = control("metric", "Load", map.metrics.map((metric) => [metric.name, metric.unit ? `${metric.title} [${metric.unit}]` : metric.title]));
  map.axes.forEach((axis, number) => { own[axis.name] = control(axis.name, axis.title, axis.values.map((value, place) => [place, value])); });
  // What is seen first: the network with the most links, and of such that with the most flows and hosts with traffic.
  const total = (counted) => counted.reduce((sum, { count }) => sum + count, 0);
  const size = ({ graph }) => 1e6 * total(map.graphs[graph].links) + total(map.graphs[graph].groups);
  let now = map.combinations.reduce((best, other) => (size(other) > size(best) ? other : best)), chosen = "";

  /** The combination that has a value of one axis and as many others as possible of what is shown. */
  function nearest(at, held) {
    const alike = (other) => other.at.reduce((sum, place, i) => sum + (place === at[i] ? (i === held ? 1000 : 1) : 0), 0);
    return map.combinations.reduce((best, other) => (alike(other) > alike(best) ? other : best));
  }
  function changed(name) {
    const held = map.axes.findIndex((axis) => axis.name === name);
    if (held >= 0) now = nearest(map.axes.map((axis) => Number(own[axis.name].value)), held);
    show();
    remember();
  }
  function remember() {
    section = "links";
    keep({ "links metric": own.metric.value, "links shown": chosen, ...Object.fromEntries(map.axes.map((axis, i) => [`links ${axis.name}`, axis.values[now.at[i]]])) });
  }
  function show() {
    map.axes.forEach((axis, i) => {
      own[axis.name].value = now.at[i];
      if (axis.name === "variant") for (const option of own.variant.options) option.textContent = nameOf(axis.values[option.value]);
    });
    const graph = map.graphs[now.graph], metric = map.metrics.find(({ name }) => name === own.metric.value);
    const there = [...graph.groups.map(({ name }) => `group ${name}`), ...graph.links.map(({ name }) => `link ${name}`)];
    if (!there.includes(chosen)) chosen = "";
    networkDrawing.draw(root, {
      graph, metric, loads: now.loads, variants: now.variants.map((each) => each && nameOf(each)), chosen,
      choose: (what) => { chosen = what; show(); remember(); },
    });
    const cells = root.querySelector(".of-cells");
    cells.replaceChildren(...(!map.pages || !now.cells.length ? [] : ["Its cells: ", ...now.cells.flatMap(([run, cell], i) => [
      i ? ", " : "", Object.assign(document.createElement("a"), { href: `${map.pages}${encodeURIComponent(cell)}.html`, textContent: `run ${run}` }),
    ])]));
  }
  function read() {
    const asked = state.get("links metric");
    if (map.metrics.some(({ name }) => name === asked)) own.metric.value = asked;
    chosen = state.get("links shown") ?? "";
    const at = map.axes.map((axis, i) => { const place = axis.values.indexOf(state.get(`links ${axis.name}`)); return place < 0 ? now.at[i] : place; });
    now = nearest(at, -1);
    show();
  }
  root.hidden = false;
  listeners.push(read);
  read();
  const area = root.querySelector(".drawing");
  area.prepend(saveButtons("The network", () => area.querySelector("svg"), "network"));
  let wide = area.clientWidth;
  new ResizeObserver(() => {
    if (area.clientWidth === wide) return;
    wide = area.clientWidth;
    show();
  }).observe(area);
}
