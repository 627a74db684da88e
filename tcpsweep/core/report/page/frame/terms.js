// SPDX-License-Identifier: MIT
// Terms with an explanation, which the style sheet shows while a term is pointed at or focused; Escape hides it.
export function startTerms() {
  for (const term of document.querySelectorAll(".term")) {
    for (const name of ["focusin", "pointerenter"]) term.addEventListener(name, () => show(term));
    for (const name of ["focusout", "pointerleave"]) term.addEventListener(name, () => delete term.dataset.hidden);
  }
  addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    for (const term of document.querySelectorAll(".term:is(:hover, :focus-within)")) term.dataset.hidden = "";
  });
}

/** Show a term's explanation within the page's width, wherever the term is in its line. */
function show(term) {
  delete term.dataset.hidden;
  const tip = term.querySelector(".tip");
  const room = document.documentElement.clientWidth - 16;
  tip.style.left = `${Math.min(0, room - term.getBoundingClientRect().left - tip.offsetWidth)}px`;
}
