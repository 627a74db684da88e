// SPDX-License-Identifier: MIT
// Saves a table as CSV, Markdown or LaTeX, from its head, its rows and the list of numeric columns.
const ESCAPES = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" };
const SIGNS = {
  "±": "$\\pm$",
  "–": "--",
  "−": "$-$",
  µ: "$\\mu$",
  "≤": "$\\le$",
  "≥": "$\\ge$",
  "<": "$<$",
  ">": "$>$",
  "×": "$\\times$",
};

/** Each format: how a table is written in it, the ending of its files, and their type. */
export const FORMATS = {
  CSV: [csv, "csv", "text/csv"],
  Markdown: [markdown, "md", "text/markdown"],
  LaTeX: [latex, "tex", "application/x-tex"],
};

function csv({ head, rows }) {
  const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return [head, ...rows].map((row) => row.map(quoted).join(",")).join("\n") + "\n";
}

function markdown({ head, rows, numbers }) {
  const line = (row) => `| ${row.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;
  const rule = `|${numbers.map((isNumber) => (isNumber ? "---:" : "---")).join("|")}|`;
  return [line(head), rule, ...rows.map(line)].join("\n") + "\n";
}

function latex({ head, rows, numbers }) {
  const escaped = (text) =>
    text.replace(/[\\~^]|[&%$#_{}]|[±–−µ≤≥<>×]/g, (sign) => ESCAPES[sign] ?? SIGNS[sign] ?? `\\${sign}`);
  const line = (row) => `${row.map(escaped).join(" & ")} \\\\`;
  const columns = numbers.map((isNumber) => (isNumber ? "r" : "l")).join("");
  const begin = ["% \\usepackage{booktabs}", `\\begin{tabular}{${columns}}`, "\\toprule"];
  return [...begin, line(head), "\\midrule", ...rows.map(line), "\\bottomrule", "\\end{tabular}"].join("\n") + "\n";
}

/** Save a table in a format, under its own name. */
export function saveTable(name, format, contents) {
  const [write, ending, type] = FORMATS[format];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([write(contents)], { type }));
  link.download = `${name}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
