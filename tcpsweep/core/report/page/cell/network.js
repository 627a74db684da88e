// SPDX-License-Identifier: MIT
// The network of a cell, with the load of its links in this run.
import { drawNetwork, keepDrawn } from "../shared/network_drawing.js";

export function startNetwork() {
  const root = document.querySelector(".network");
  if (!root) return;
  const { graph, metrics, loads, variants } = JSON.parse(document.getElementById("network-data").textContent);
  const select = root.querySelector("select");
  let chosen = "";
  const show = () => {
    const metric = metrics.find(({ name }) => name === select.value);
    drawNetwork(root, { graph, loads, variants, chosen, metric, choose });
  };
  const choose = (what) => {
    chosen = what;
    show();
  };
  select.addEventListener("change", show);
  root.hidden = false;
  show();
  keepDrawn(root, show);
}
