// SPDX-License-Identifier: MIT
// Charts as files: SVG and PNG as they are shown, with colours in place of the page's custom properties.
/** Buttons that save a drawing; `drawing` gives it when one is pressed, `name` is the file's. */
function saveButtons(title, drawing, name) {
  const place = document.createElement("span");
  place.className = "save";
  for (const kind of ["SVG", "PNG"]) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: kind });
    button.setAttribute("aria-label", `Save as ${kind}: ${title}`);
    button.addEventListener("click", () => savePicture(drawing(), kind, name));
    place.append(button);
  }
  return place;
}
function standalone(svg) {
  const copy = svg.cloneNode(true), copies = copy.querySelectorAll("*");
  [...svg.querySelectorAll("*")].forEach((element, number) => {
    for (const name of ["fill", "stroke"]) {
      if (/^(var|light-dark)\(/.test(element.getAttribute(name) ?? "")) copies[number].setAttribute(name, getComputedStyle(element)[name]);
    }
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.style.background = getComputedStyle(document.body).backgroundColor;
  return new XMLSerializer().serializeToString(copy);
}
async function savePicture(svg, kind, name) {
  let url = URL.createObjectURL(new Blob([standalone(svg)], { type: "image/svg+xml" }));
  if (kind === "PNG") {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: 2 * svg.width.baseVal.value, height: 2 * svg.height.baseVal.value });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    url = canvas.toDataURL();
  }
  Object.assign(document.createElement("a"), { href: url, download: `${name}.${kind.toLowerCase()}` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
