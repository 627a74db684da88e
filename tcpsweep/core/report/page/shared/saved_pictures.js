// SPDX-License-Identifier: MIT
// Charts as files: SVG and PNG as they are shown, with colours in place of the page's custom properties.
import { element } from "./elements.js";

/** Buttons that save a drawing; `drawing` gives it when a button is pressed, `name` is the file's. */
export function saveButtons(title, drawing, name) {
  const place = element("span", { className: "save" });
  for (const kind of ["SVG", "PNG"]) {
    const button = element("button", { type: "button", textContent: kind });
    button.setAttribute("aria-label", `Save as ${kind}: ${title}`);
    button.addEventListener("click", () => savePicture(drawing(), kind, name));
    place.append(button);
  }
  return place;
}

/** A drawing as text that needs no style sheet. */
function standaloneText(svg) {
  const copy = svg.cloneNode(true);
  const copies = copy.querySelectorAll("*");
  [...svg.querySelectorAll("*")].forEach((original, number) => {
    for (const name of ["fill", "stroke"]) {
      if (/^(var|light-dark)\(/.test(original.getAttribute(name) ?? "")) {
        copies[number].setAttribute(name, getComputedStyle(original)[name]);
      }
    }
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.style.background = getComputedStyle(document.body).backgroundColor;
  return new XMLSerializer().serializeToString(copy);
}

async function savePicture(svg, kind, name) {
  const vector = URL.createObjectURL(new Blob([standaloneText(svg)], { type: "image/svg+xml" }));
  const href = kind === "PNG" ? await pixelsOf(vector, svg) : vector;
  element("a", { href, download: `${name}.${kind.toLowerCase()}` }).click();
  setTimeout(() => URL.revokeObjectURL(vector), 1000);
}

async function pixelsOf(url, svg) {
  const image = element("img", { src: url });
  await image.decode();
  const width = 2 * svg.width.baseVal.value;
  const height = 2 * svg.height.baseVal.value;
  const canvas = element("canvas", { width, height });
  canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  return canvas.toDataURL();
}
