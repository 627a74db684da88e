// SPDX-License-Identifier: MIT
// A link's target stays in view while the page changes its size around it, until the reader scrolls.
let held = null;
const sizes = new ResizeObserver(hold);

function hold() {
  held.target.scrollIntoView({ behavior: "instant" });
  held = { target: held.target, top: held.target.getBoundingClientRect().top, height: document.body.clientHeight };
}

export function keepInView(target) {
  held = { target };
  hold();
  sizes.observe(document.body);
}

export function release() {
  held = null;
  sizes.disconnect();
}

export function startScrolling() {
  const options = { capture: true, passive: true };
  for (const kind of ["wheel", "touchstart", "keydown", "pointerdown"]) addEventListener(kind, release, options);
  addEventListener(
    "scroll",
    () => {
      // A scroll bar sends no pointer event: the reader scrolled if the page moved but kept its height.
      if (held?.height !== document.body.clientHeight) return;
      if (Math.abs(held.target.getBoundingClientRect().top - held.top) > 2) release();
    },
    { passive: true },
  );
}
