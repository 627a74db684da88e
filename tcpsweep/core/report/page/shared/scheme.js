// SPDX-License-Identifier: MIT
// Light or dark: the reader's choice, which all pages share, or else the system's setting.
const SCHEMES = { auto: "◐", light: "☀", dark: "☾" };
const NAMES = Object.keys(SCHEMES);

const nextOf = (scheme) => NAMES[(NAMES.indexOf(scheme) + 1) % NAMES.length];

function remembered() {
  try {
    const scheme = localStorage.getItem("scheme");
    return NAMES.includes(scheme) ? scheme : "auto";
  } catch {
    return "auto";
  }
}

function remember(scheme) {
  try {
    localStorage.setItem("scheme", scheme);
  } catch {
    // The page works without storage too.
  }
}

function apply(scheme, button) {
  if (scheme === "auto") delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = scheme;
  button.textContent = SCHEMES[scheme];
  button.title = `Colours: ${scheme}`;
  button.setAttribute("aria-label", `Colours: ${scheme}; press for ${nextOf(scheme)}`);
  button.value = scheme;
}

export function startScheme() {
  const button = document.getElementById("scheme");
  button.addEventListener("click", () => {
    apply(nextOf(button.value), button);
    remember(button.value);
  });
  // Other open pages follow the choice.
  addEventListener("storage", ({ key }) => {
    if (key === "scheme") apply(remembered(), button);
  });
  apply(remembered(), button);
  button.hidden = false;
}
