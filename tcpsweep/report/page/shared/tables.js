// SPDX-License-Identifier: MIT
// Tables of class "data" can be sorted by a click on a column's head, filtered, and taken away as shown.
(() => {
  "use strict";
  const FORMATS = { CSV: [csv, "csv", "text/csv"], Markdown: [markdown, "md", "text/markdown"], LaTeX: [latex, "tex", "application/x-tex"] };

  for (const table of document.querySelectorAll("table.data")) equip(table);

  function equip(table) {
    const head = table.tHead.rows[0], body = table.tBodies[0];
    const given = [...body.rows];
    [...head.cells].forEach((cell, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...cell.childNodes);
      cell.append(button);
      button.addEventListener("click", () => {
        const upwards = cell.getAttribute("aria-sort") !== "ascending";
        for (const other of head.cells) other.removeAttribute("aria-sort");
        cell.setAttribute("aria-sort", upwards ? "ascending" : "descending");
        body.append(...given.toSorted((a, b) => (upwards ? 1 : -1) * compare(key(a.cells[column]), key(b.cells[column]))));
      });
    });
    const bar = document.createElement("p"), label = document.createElement("label"), filter = document.createElement("input");
    const count = document.createElement("output");
    bar.className = "tools";
    filter.type = "search";
    label.append("Rows with ", filter);
    filter.addEventListener("input", () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const row of given) {
        const own = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => own.includes(word));
      }
      const left = given.filter((row) => !row.hidden).length;
      count.textContent = words.length ? `${left} of ${given.length}` : "";
    });
    bar.append(label, count, "Take away as ", ...Object.keys(FORMATS).map((format) => {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: format });
      button.addEventListener("click", () => save(table, format));
      return button;
    }));
    table.closest(".scroll").before(bar);
  }

  /** What a cell is sorted by: the number that it says or begins with, else its text. */
  function key(cell) {
    const said = cell.dataset.value ?? cell.textContent.trim();
    const number = parseFloat(said.replace("−", "-"));
    return Number.isNaN(number) ? said : number;
  }
  function compare(a, b) {
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return typeof a === "number" ? a - b : a.localeCompare(b);
  }

  /** The head and the rows that are not filtered out, as texts; and which columns hold numbers. */
  function contents(table) {
    const texts = (row) => [...row.cells].map((cell) => cell.innerText.replace(/\s+/g, " ").trim());
    const rows = [...table.tBodies[0].rows].filter((row) => !row.hidden).map(texts);
    return { head: texts(table.tHead.rows[0]), rows, numbers: [...table.tHead.rows[0].cells].map((cell) => cell.classList.contains("number")) };
  }
  function csv({ head, rows }) {
    const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    return [head, ...rows].map((row) => row.map(quoted).join(",")).join("\n") + "\n";
  }
  function save(table, format) {
    const [make, ending, type] = FORMATS[format];
    download(make(contents(table)), `${table.dataset.name ?? "table"}.${ending}`, type);
  }
})();
