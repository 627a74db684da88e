// SPDX-License-Identifier: MIT
// The network of a cell, with the load of its links in this run.
(() => {
  "use strict";
  const root = document.querySelector(".network");
  if (!root) return;
  const { graph, metrics, loads, variants } = JSON.parse(document.getElementById("network-data").textContent);
  const area = root.querySelector(".drawing"), select = root.querySelector("select");
  let chosen = "", wide = 0;
  const show = () => networkDrawing.draw(root, {
    graph, loads, variants, chosen, metric: metrics.find(({ name }) => name === select.value), choose: (what) => { chosen = what; show(); },
  });
  select.addEventListener("change", show);
  root.hidden = false;
  area.prepend(saveButtons("The network", () => area.querySelector("svg"), "network"));
  new ResizeObserver(() => {
    if (area.clientWidth === wide) return;
    wide = area.clientWidth;
    show();
  }).observe(area);
})();
