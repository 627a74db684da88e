// SPDX-License-Identifier: MIT
// Names next to the marks of a plane, where they cover no mark, no other name and no axis.

const SIZE = 11; // of the letters, in pixels
const MARK = 8; // the radius that a mark takes
const GAP = 3;
const FAR = 1.5; // a step away costs as much as this number of covered small marks
const FURTHEST = 5; // steps away from the mark's own height

/**
 * Give each mark `align`, `dx` and `dy` of its name. Returns whether all names have a place.
 *
 * `marks` have `label`, and `left` and `top` in pixels; `others` are small marks that names should not cover.
 */
export function placeNames(marks, others, width, height) {
  const measure = textMeasure();
  const small = others.map(({ left, top }) => around(left, top, 3));
  const taken = marks.map(({ left, top }) => around(left, top, MARK));
  let all = true;
  for (const mark of marks.toSorted((a, b) => a.top - b.top)) {
    const long = measure(mark.label);
    const free = places(mark, long).filter(
      ({ box }) => isInside(box, width, height) && !taken.some((o) => meet(box, o)),
    );
    // Among places that cover nothing else, take one near its mark that is over few small marks.
    const costs = free.map(({ box, step }) => FAR * step + small.filter((other) => meet(box, other)).length);
    const best = free[costs.indexOf(Math.min(...costs))];
    if (!best) {
      all = false;
      continue;
    }
    taken.push(best.box);
    Object.assign(mark, { align: best.align, dx: best.dx, dy: best.dy });
  }
  return all;
}

function textMeasure() {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `bold ${SIZE}px ${getComputedStyle(document.body).fontFamily}`;
  return (text) => pen.measureText(text).width + 2;
}

/** The places of a name, the nearest first: right and left of its mark, above and below, further up and down. */
function places({ left, top }, long) {
  const found = [];
  for (let step = 0; step <= FURTHEST; step++) {
    for (const dy of step ? [-step * SIZE, step * SIZE] : [0]) {
      for (const align of ["left", "right", ...(step ? ["center"] : [])]) {
        const beside = align === "center" ? 0 : step > 1 ? GAP : MARK + GAP;
        const dx = align === "left" ? beside : align === "right" ? -beside : 0;
        const begin = left + dx - (align === "left" ? 0 : align === "right" ? long : long / 2);
        const box = { left: begin, right: begin + long, top: top + dy - SIZE * 0.6, bottom: top + dy + SIZE * 0.6 };
        found.push({ align, dx, dy, step, box });
      }
    }
  }
  return found;
}

const around = (left, top, far) => ({ left: left - far, right: left + far, top: top - far, bottom: top + far });
const meet = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
const isInside = (box, width, height) =>
  box.left >= 2 && box.right <= width - 2 && box.top >= 2 && box.bottom <= height - 2;
