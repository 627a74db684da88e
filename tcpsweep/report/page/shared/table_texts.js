// SPDX-License-Identifier: MIT
// A table's head, rows and which columns hold numbers, as Markdown or LaTeX, and a text as a file to keep.
function markdown({ head, rows, numbers }) {
  const line = (row) => `| ${row.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${numbers.map((number) => (number ? "---:" : "---")).join("|")}|`, ...rows.map(line)].join("\n") + "\n";
}
function latex({ head, rows, numbers }) {
  const escapes = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" };
  const signs = { "±": "$\\pm$", "–": "--", "−": "$-$", "µ": "$\\mu$", "≤": "$\\le$", "≥": "$\\ge$", "<": "$<$", ">": "$>$", "×": "$\\times$" };
  const escaped = (text) => text.replace(/[\\~^]|[&%$#_{}]|[±–−µ≤≥<>×]/g, (sign) => escapes[sign] ?? signs[sign] ?? `\\${sign}`);
  const line = (row) => `${row.map(escaped).join(" & ")} \\\\`;
  return [
    "% \\usepackage{booktabs}", `\\begin{tabular}{${numbers.map((number) => (number ? "r" : "l")).join("")}}`, "\\toprule",
    line(head), "\\midrule", ...rows.map(line), "\\bottomrule", "\\end{tabular}",
  ].join("\n") + "\n";
}
function download(text, name, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
