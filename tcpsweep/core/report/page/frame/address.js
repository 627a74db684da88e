// SPDX-License-Identifier: MIT
// The page's state is in its address, "#section?name=value&…", so that a reload and a link show the same.
import { release, keepInView } from "./scrolling.js";

const values = new Map();
const listeners = [];
let section = "overview";

export const shownSection = () => section;

/** The value of a name in the address; undefined if it has none. */
export const addressValue = (name) => values.get(name);

/** Call `listener` whenever a link within the page has changed the address. */
export function onFollow(listener) {
  listeners.push(listener);
}

/** Keep values in the address, with their section; an empty value is left out. */
export function keepInAddress(changed, inSection = section) {
  section = inSection;
  for (const [name, value] of Object.entries(changed)) {
    if (value) values.set(name, String(value));
    else values.delete(name);
  }
  writeAddress();
}

function readAddress() {
  const [name, query = ""] = location.hash.slice(1).split("?");
  if (name) section = decodeURIComponent(name);
  for (const [key, value] of new URLSearchParams(query)) values.set(key, value);
}

function writeAddress() {
  const query = new URLSearchParams([...values].filter(([, value]) => value !== "")).toString();
  history.replaceState(null, "", `#${encodeURIComponent(section)}${query ? `?${query}` : ""}`);
}

/** Show the address: its values, its section, and the folded parts that contain it. */
function follow() {
  readAddress();
  for (const listener of listeners) listener();
  const target = document.getElementById(section);
  for (let around = target; around; around = around.parentElement) {
    if (around.tagName === "DETAILS") around.open = true;
  }
  if (target?.tagName === "SECTION" && section === "overview") {
    release();
    scrollTo({ top: 0 });
  } else if (target) keepInView(target);
  writeAddress();
}

function followLink(event) {
  const link = event.target.closest?.("a[href^='#']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState(null, "", link.getAttribute("href"));
  follow();
  const target = document.getElementById(section);
  const heading = target?.querySelector("h2, h3") ?? target;
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
}

export function startAddress() {
  readAddress();
  addEventListener("hashchange", follow);
  document.addEventListener("click", followLink);
}

/** Show the address once the page's sections have been started, unless it names only a section. */
export function followFirstAddress() {
  if (location.hash.includes("?") || document.getElementById(section)?.tagName !== "SECTION") follow();
}
