// SPDX-License-Identifier: MIT
// The toolbox: variants are hidden, highlighted and renamed in all figures and tables at once.
import { addressValue, keepInAddress, onFollow } from "../frame/address.js";
import { redraw } from "../frame/charts.js";
import { onTableDrawn } from "../frame/data_tables.js";
import { data } from "../frame/page_data.js";
import { element } from "../shared/elements.js";
import { hidden, isFaint, marked, nameOf, nameOfVariant, renamed } from "./series.js";

const names = data.variants.names;

export function startToolbox() {
  onTableDrawn(applyToolbox);
  document.querySelector(".toolbox").hidden = names.length < 2;
  const rows = names.map((name) => addRow(name, () => changed(rows)));
  document.getElementById("toolbox-reset").addEventListener("click", () => {
    for (const choice of [hidden, marked, renamed]) choice.clear();
    changed(rows);
  });
  const read = () => {
    readAddress();
    show(rows);
  };
  onFollow(read);
  read();
}

/** A variant's row in the toolbox: whether it is shown, whether it is highlighted, and its name. */
function addRow(name, onChange) {
  const shown = element("input", { type: "checkbox" });
  const mark = element("input", { type: "checkbox" });
  const printed = nameOf(name);
  const rename = element("input", { type: "text", placeholder: printed, ariaLabel: `Name for ${printed}` });
  shown.addEventListener("change", () => {
    hidden[shown.checked ? "delete" : "add"](name);
    onChange();
  });
  mark.addEventListener("change", () => {
    marked[mark.checked ? "add" : "delete"](name);
    onChange();
  });
  rename.addEventListener("change", () => {
    renameVariant(name, rename.value.trim());
    onChange();
  });
  const labels = [element("label", {}, shown, " show"), element("label", {}, mark, " highlight")];
  const row = element("li", {}, element("strong", { textContent: printed }), ...labels, rename);
  document.getElementById("toolbox-list").append(row);
  return { name, shown, mark, rename };
}

/** Rename a variant; an empty name, and one that another variant has, gives it its own name again. */
function renameVariant(name, wanted) {
  const taken = names.some((other) => other !== name && nameOfVariant(other) === wanted);
  if (wanted && !taken) renamed.set(name, wanted);
  else renamed.delete(name);
}

function changed(rows) {
  keepInAddress({ hide: [...hidden].join(","), mark: [...marked].join(",") });
  keepInAddress(Object.fromEntries(names.map((name) => [`name ${name}`, renamed.get(name) ?? ""])));
  show(rows);
}

function show(rows) {
  for (const { name, shown, mark, rename } of rows) {
    shown.checked = !hidden.has(name);
    mark.checked = marked.has(name);
    rename.value = renamed.get(name) ?? "";
  }
  applyToolbox();
  redraw();
}

function readAddress() {
  for (const [choice, key] of [
    [hidden, "hide"],
    [marked, "mark"],
  ]) {
    choice.clear();
    for (const name of (addressValue(key) ?? "").split(",")) if (names.includes(name)) choice.add(name);
  }
  renamed.clear();
  for (const name of names) if (addressValue(`name ${name}`)) renamed.set(name, addressValue(`name ${name}`));
}

/** Names, hidden rows and faint rows of everything but charts. */
export function applyToolbox() {
  for (const place of document.querySelectorAll("[data-series]")) {
    const parts = nameOf(place.dataset.series).split("+");
    place.replaceChildren(...parts.flatMap((part, i) => (i ? ["+", element("wbr"), part] : [part])));
  }
  for (const row of document.querySelectorAll("[data-variant]")) {
    row.hidden = hidden.has(row.dataset.variant);
    row.classList.toggle("faint", isFaint(row.dataset.variant));
  }
  document.getElementById("toolbox-count").textContent = hidden.size ? `(${hidden.size} hidden)` : "";
}
