// SPDX-License-Identifier: MIT
// Light or dark: the reader's choice, or else the system's; charts take their colours from the style sheet's tokens.
const SCHEMES = ["auto", "light", "dark"];
const systemDark = matchMedia("(prefers-color-scheme: dark)");
const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const isDark = () => (document.documentElement.dataset.scheme ?? (systemDark.matches ? "dark" : "light")) === "dark";

function startScheme() {
  const button = document.getElementById("scheme");
  button.hidden = false;
  const remembered = () => { try { return localStorage.getItem("scheme"); } catch { return null; } };
  const set = (scheme) => {
    if (scheme === "auto") delete document.documentElement.dataset.scheme;
    else document.documentElement.dataset.scheme = scheme;
    button.textContent = { auto: "◐", light: "☀", dark: "☾" }[scheme];
    button.title = `Colours: ${scheme}`;
    button.setAttribute("aria-label", `Colours: ${scheme}; press for the next`);
    button.value = scheme;
    try { localStorage.setItem("scheme", scheme); } catch { /* the page still works without */ }
    redraw();
  };
  button.addEventListener("click", () => set(SCHEMES[(SCHEMES.indexOf(button.value) + 1) % SCHEMES.length]));
  systemDark.addEventListener("change", redraw);
  set(SCHEMES.includes(remembered()) ? remembered() : "auto");
}

/** The charts' look in the page's colours. */
function look() {
  const ink = token("ink"), soft = token("soft"), grid = token("grid");
  const text = { labelColor: ink, titleColor: ink };
  const from = data.look;
  return {
    ...from, background: "transparent",
    axis: { ...from.axis, ...text, gridColor: grid, tickColor: soft, labelFontSize: 12, titleFontSize: 12 },
    legend: { ...from.legend, ...text, labelFontSize: 12, titleFontSize: 12 },
    header: { ...from.header, ...text, labelFontSize: 12 },
    view: { stroke: token("line") },
    text: { color: ink }, rule: { color: soft },
  };
}
