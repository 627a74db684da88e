// SPDX-License-Identifier: MIT
// The page's state stands in its address, "#section?name=value&…", so that a reload and a link show the same.
const state = new Map();
const listeners = [];
let section = "overview";

function readAddress() {
  const [name, query = ""] = location.hash.slice(1).split("?");
  if (name) section = decodeURIComponent(name);
  return new URLSearchParams(query);
}
function writeAddress() {
  const query = new URLSearchParams([...state].filter(([, value]) => value !== "")).toString();
  history.replaceState(null, "", `#${encodeURIComponent(section)}${query ? `?${query}` : ""}`);
}
/** Change some values of the state; an empty one is left out of the address. */
function keep(values) {
  for (const [name, value] of Object.entries(values)) value ? state.set(name, String(value)) : state.delete(name);
  writeAddress();
}
/** Show what a link within the page leads to: its values, its section, the folded parts around it. */
function follow(values) {
  for (const [name, value] of values) state.set(name, value);
  for (const listener of listeners) listener();
  const target = document.getElementById(section);
  for (let around = target; around; around = around.parentElement) if (around.tagName === "DETAILS") around.open = true;
  if (target?.tagName === "SECTION" && section === "overview") { release(); scrollTo({ top: 0 }); }
  else if (target) bring(target);
  writeAddress();
}
/** Scroll to a place, and again whenever the page changes its size around it, until the reader goes elsewhere. */
let held = null;
const holds = new ResizeObserver(() => hold());
function hold() {
  held.target.scrollIntoView({ behavior: "instant" });
  held = { target: held.target, top: held.target.getBoundingClientRect().top, height: document.body.clientHeight };
}
function bring(target) {
  held = { target };
  hold();
  holds.observe(document.body);
}
function release() {
  held = null;
  holds.disconnect();
}
for (const kind of ["wheel", "touchstart", "keydown", "pointerdown"]) addEventListener(kind, release, { capture: true, passive: true });
addEventListener("scroll", () => {
  // A scroll bar tells of no pointer: the reader moved the page if it is elsewhere and as high as before.
  if (held?.height === document.body.clientHeight && Math.abs(held.target.getBoundingClientRect().top - held.top) > 2) release();
}, { passive: true });

function startState() {
  for (const [name, value] of readAddress()) state.set(name, value);
  addEventListener("hashchange", () => follow(readAddress()));
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='#']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, "", link.getAttribute("href"));
    follow(readAddress());
    const target = document.getElementById(section);
    const heading = target?.querySelector("h2, h3") ?? target;
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
  });
  const links = new Map([...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]));
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) {
      for (const link of links.values()) link.removeAttribute("aria-current");
      links.get(entry.target.id)?.setAttribute("aria-current", "true");
    }
  }, { rootMargin: "-20% 0px -70% 0px" });
  for (const id of links.keys()) seen.observe(document.getElementById(id));
}
