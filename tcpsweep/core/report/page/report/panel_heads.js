// SPDX-License-Identifier: MIT
// The heads of panels, broken into lines that fit.
const ruler = document.createElement("canvas").getContext("2d");

/** A text in lines of limited width in pixels, broken after commas, and at spaces only where necessary. */
export function brokenText(text, most, look) {
  ruler.font = `${look.header.labelFontSize}px ${look.font}`;
  const fits = (line) => ruler.measureText(line.trim()).width <= most;
  const lines = [""];
  for (const part of text.split(/(?<=, )/)) {
    for (const piece of fits(part) ? [part] : part.split(/(?<= )/)) {
      if (lines.at(-1) && !fits(lines.at(-1) + piece)) lines.push("");
      lines.push(lines.pop() + piece);
    }
  }
  return lines.map((line) => line.trim());
}
