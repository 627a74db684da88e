// SPDX-License-Identifier: MIT
// Terms with an explanation, which the style sheet shows beside what is pointed at or focused; Escape hides it.
function startTerms() {
  for (const term of document.querySelectorAll(".term")) {
    const place = () => {
      // Within the page's width, wherever the term stands in its line.
      const tip = term.querySelector(".tip"), left = term.getBoundingClientRect().left;
      const room = document.documentElement.clientWidth - 16;
      tip.style.left = `${Math.min(0, room - left - tip.offsetWidth)}px`;
    };
    for (const name of ["focusin", "pointerenter"]) term.addEventListener(name, () => { delete term.dataset.hidden; place(); });
    for (const name of ["focusout", "pointerleave"]) term.addEventListener(name, () => { delete term.dataset.hidden; });
  }
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape") for (const term of document.querySelectorAll(".term:is(:hover, :focus-within)")) term.dataset.hidden = "";
  });
}
