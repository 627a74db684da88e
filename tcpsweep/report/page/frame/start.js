// SPDX-License-Identifier: MIT
// The start of a page's scripts, after those of its sections, and what a change of the window's width does.
startTerms();
startTables();
if (location.hash.includes("?") || document.getElementById(section)?.tagName !== "SECTION") follow(readAddress());
const side = document.querySelector(".menu");
const narrow = matchMedia("(max-width: 70rem)");
const setMenu = () => { side.open = !narrow.matches; };
narrow.addEventListener("change", setMenu);
setMenu();
let width = document.documentElement.clientWidth;
addEventListener("resize", () => {
  if (document.documentElement.clientWidth === width) return;
  width = document.documentElement.clientWidth;
  redraw();
});
whenIdle();
