// SPDX-License-Identifier: MIT
// A cell's chart over time: as wide as the window, and of the part of the time that is asked for.
(() => {
  "use strict";
  const spec = JSON.parse(document.getElementById("timeline-data").textContent);
  const root = document.getElementById("timeline");
  const frame = root.querySelector(".chart"), place = frame.firstElementChild;
  const [from, to] = ["from", "to"].map((name) => root.querySelector(`input[name=${name}]`));
  const end = Number(root.dataset.end), MARGIN = 110, LEAST = 200, LEGEND_ENTRY = 140;
  const brush = spec.params.find((parameter) => parameter.name === "brush");
  let view = null, latest = 0;

  async function draw() {
    const mine = ++latest;
    const begin = Math.min(Math.max(0, Number(from.value)), end), until = Math.min(Number(to.value) || end, end);
    // A drag that begins within what is chosen moves it: all of the time is not chosen, so that a drag can choose a part.
    if (begin < until && (begin > 0 || until < end)) brush.value = { x: [begin, until] };
    else delete brush.value;
    const width = Math.max(LEAST, frame.clientWidth - MARGIN);
    spec.config.legend.columns = Math.max(1, Math.floor((width + MARGIN / 2) / LEGEND_ENTRY));
    const [overview, rest] = spec.vconcat;
    for (const part of [overview, ...rest.vconcat]) part.width = width;
    const made = await vegaEmbed(place, structuredClone(spec), {
      renderer: "svg", actions: { export: true, source: false, compiled: false, editor: false },
    });
    if (mine !== latest) { made.finalize(); return; }
    view?.finalize();
    view = made;
    root.view = made.view;
    // What is dragged shows in the fields, from where it can be read and changed.
    made.view.addSignalListener("brush", (_, chosen) => {
      const [a, b] = chosen.t ?? [0, end];
      from.value = Number(a.toFixed(3));
      to.value = Number(b.toFixed(3));
    });
    root.dataset.drawn = mine;
  }

  for (const field of [from, to]) field.addEventListener("change", draw);
  let width = frame.clientWidth;
  addEventListener("resize", () => {
    if (frame.clientWidth !== width) { width = frame.clientWidth; draw(); }
  });
  root.hidden = false;
  draw();
})();
