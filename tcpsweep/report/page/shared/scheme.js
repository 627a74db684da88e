// SPDX-License-Identifier: MIT
// Light or dark: the reader's choice, which all pages remember together, or else the system's.
(() => {
  const SCHEMES = { auto: "◐", light: "☀", dark: "☾" }, names = Object.keys(SCHEMES);
  const button = document.getElementById("scheme");
  const remembered = () => { try { return localStorage.getItem("scheme"); } catch { return null; } };
  const set = (scheme) => {
    if (scheme === "auto") delete document.documentElement.dataset.scheme;
    else document.documentElement.dataset.scheme = scheme;
    button.textContent = SCHEMES[scheme];
    button.title = `Colours: ${scheme}`;
    button.setAttribute("aria-label", `Colours: ${scheme}; press for ${next(scheme)}`);
    button.value = scheme;
  };
  const next = (scheme) => names[(names.indexOf(scheme) + 1) % names.length];
  button.addEventListener("click", () => {
    set(next(button.value));
    try { localStorage.setItem("scheme", button.value); } catch { /* the page still works without */ }
  });
  // Another page that is open at the same time follows.
  addEventListener("storage", ({ key }) => { if (key === "scheme") set(remembered() ?? "auto"); });
  set(names.includes(remembered()) ? remembered() : "auto");
  button.hidden = false;
})();
