// SPDX-License-Identifier: MIT
// The toolbox: which variants are hidden, highlighted and renamed, in all figures and tables at once.
const renamed = new Map(), hidden = new Set(), marked = new Set();

const nameOfVariant = (name) => renamed.get(name) ?? name.split("+").map((part) => renamed.get(part) ?? part).join("+");
/** What the page calls a series: a variant, a mix, or "variant in mix". */
const nameOf = (series) => series.split(" in ").map(nameOfVariant).join(" in ");
const variantOf = (combination) => data.variants.names[data.variants.of[combination]];
const isShown = (combination) => !hidden.has(variantOf(combination));
const wholeOf = (series) => series.split(" in ").at(-1);
const isFaint = (series) => marked.size > 0 && ![...marked].some((name) => name === series || name === wholeOf(series));

/** The scales of the series that occur, in the sweep's order: names, colours, shapes, dashes. */
function scales(numbers) {
  const present = data.series.filter((_, number) => numbers.has(number));
  const colour = ([name, own]) => (isFaint(name) ? "var(--faint)" : own);
  return {
    color: { domain: present.map(([name]) => nameOf(name)), range: present.map(colour) },
    shape: { domain: present.map(([name]) => nameOf(name)), range: present.map((series) => series[2]) },
    strokeDash: { domain: present.map(([name]) => nameOf(name)), range: present.map((series) => series[3]) },
  };
}
function readToolbox() {
  const listed = (name) => (state.get(name) ?? "").split(",").filter((each) => data.variants.names.includes(each));
  for (const [set, name] of [[hidden, "hide"], [marked, "mark"]]) {
    set.clear();
    listed(name).forEach((each) => set.add(each));
  }
  renamed.clear();
  for (const name of data.variants.names) if (state.get(`name ${name}`)) renamed.set(name, state.get(`name ${name}`));
}

/** Names, hidden rows and faint rows of what is no chart. */
function applyToolbox() {
  for (const place of document.querySelectorAll("[data-series]")) {
    const parts = nameOf(place.dataset.series).split("+");
    place.replaceChildren(...parts.flatMap((part, i) => (i ? ["+", document.createElement("wbr"), part] : [part])));
  }
  for (const row of document.querySelectorAll("[data-variant]")) {
    row.hidden = hidden.has(row.dataset.variant);
    row.classList.toggle("faint", isFaint(row.dataset.variant));
  }
  document.getElementById("toolbox-count").textContent = hidden.size ? `(${hidden.size} hidden)` : "";
}

function startToolbox() {
  whenTableDrawn = applyToolbox;
  document.querySelector(".toolbox").hidden = data.variants.names.length < 2;
  const list = document.getElementById("toolbox-list");
  const make = (tag, given, ...children) => { const made = Object.assign(document.createElement(tag), given); made.append(...children); return made; };
  const boxes = data.variants.names.map((name) => {
    const show = make("input", { type: "checkbox" }), mark = make("input", { type: "checkbox" });
    const own = make("input", { type: "text", placeholder: name, ariaLabel: `Name for ${name}` });
    show.addEventListener("change", () => { hidden[show.checked ? "delete" : "add"](name); changed(); });
    mark.addEventListener("change", () => { marked[mark.checked ? "add" : "delete"](name); changed(); });
    own.addEventListener("change", () => {
      const taken = data.variants.names.some((other) => other !== name && nameOfVariant(other) === own.value.trim());
      own.value.trim() && !taken ? renamed.set(name, own.value.trim()) : renamed.delete(name);
      changed();
    });
    list.append(make("li", {}, make("strong", { textContent: name }), make("label", {}, show, " show"), make("label", {}, mark, " highlight"), own));
    return { name, show, mark, own };
  });
  const fill = () => {
    for (const { name, show, mark, own } of boxes) {
      show.checked = !hidden.has(name);
      mark.checked = marked.has(name);
      own.value = renamed.get(name) ?? "";
    }
  };
  const changed = () => {
    keep({ hide: [...hidden].join(","), mark: [...marked].join(",") });
    keep(Object.fromEntries(data.variants.names.map((name) => [`name ${name}`, renamed.get(name) ?? ""])));
    fill();
    applyToolbox();
    redraw();
  };
  document.getElementById("toolbox-reset").addEventListener("click", () => { hidden.clear(); marked.clear(); renamed.clear(); changed(); });
  const read = () => { readToolbox(); fill(); applyToolbox(); redraw(); };
  listeners.push(read);
  read();
}
