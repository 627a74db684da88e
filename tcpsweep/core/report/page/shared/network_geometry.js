// SPDX-License-Identifier: MIT
// Where the parts of a drawn network are, in pixels: nodes, lines next to each other, and labels that cover nothing.
export const NODE = 9; // the radius of a node
export const LANE = 4; // from a link's middle to each of its directions
const MARGIN = 46;
const RIGHT_OF_LABELS = 66;
const TOP = 34;
const BELOW = 84;
const LEAST_LAYER = 104;
const LAYER = 190;
const ACROSS = 96;
const TIER = 112;
const NEXT_TO = 84;
const TIGHT = 150;
const LETTER = 7;
const LINE = 14;
const SAMPLE = 6; // the distance of points at which lines are tested for crossing a label
const PARTS = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82]; // where along a line a label may be

/** Where nodes are: layers go from left to right if there is room, else from top to bottom. */
export function layoutOf(graph, width) {
  const layers = Math.max(...graph.nodes.map(({ at }) => at[0]));
  const widest = Math.max(...graph.nodes.map(({ at }) => at[1]));
  const isDown = graph.tiers || (width - 2 * MARGIN) / Math.max(1, layers) < LEAST_LAYER;
  const edge = isDown ? RIGHT_OF_LABELS : MARGIN;
  const room = width - MARGIN - edge;
  const besides = Math.max(NEXT_TO, Math.min(1.6 * LAYER, room / Math.max(1, widest)));
  const step = isDown ? [besides, TIER] : [Math.min(LAYER, room / Math.max(1, layers)), ACROSS];
  const [across, down] = isDown ? [widest, layers] : [layers, widest];
  const left = MARGIN + Math.max(0, (room - across * step[0]) / 2);
  const place = (at) => {
    const [x, y] = isDown ? [at[1], at[0]] : at;
    return [left + x * step[0], TOP + y * step[1]];
  };
  const isTight = isDown && step[0] < TIGHT;
  const size = { width: Math.max(width, across * step[0] + MARGIN + edge), height: TOP + down * step[1] + BELOW };
  return { place, isDown, isTight, step, ...size };
}

/** A polyline moved to its right, as its direction goes. */
export function movedRight(points, by) {
  return points.map(([x, y], i) => {
    const before = points[Math.max(0, i - 1)];
    const after = points[Math.min(points.length - 1, i + 1)];
    const [dx, dy] = [after[0] - before[0], after[1] - before[1]];
    const length = Math.hypot(dx, dy) || 1;
    return [x - (by * dy) / length, y + (by * dx) / length];
  });
}

export const pathOf = (points) => `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;

const lengthsOf = (points) => points.slice(1).map(([x, y], i) => Math.hypot(x - points[i][0], y - points[i][1]));
const total = (lengths) => lengths.reduce((sum, each) => sum + each, 0);

/** The point at a part of a polyline, and the direction there. */
export function pointAlong(points, part) {
  const lengths = lengthsOf(points);
  let left = part * total(lengths);
  let i = 0;
  while (i < lengths.length - 1 && left > lengths[i]) left -= lengths[i++];
  const [from, to] = [points[i], points[i + 1]];
  const length = lengths[i] || 1;
  const [dx, dy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  return { x: from[0] + left * dx, y: from[1] + left * dy, dx, dy };
}

/** The arrow head of a flow at a point. */
export function headAt({ x, y, dx, dy }) {
  const tip = `M${x + 5 * dx} ${y + 5 * dy}`;
  const one = `L${x - 4 * dx - 4.5 * dy} ${y - 4 * dy + 4.5 * dx}`;
  return `${tip}${one}L${x - 4 * dx + 4.5 * dy} ${y - 4 * dy - 4.5 * dx}Z`;
}

export const boxOfNode = ([x, y]) => ({
  left: x - NODE - 3,
  right: x + NODE + 3,
  top: y - NODE - 3,
  bottom: y + NODE + 3,
});

/** The label of a node: above it or, in layers below each other, at its right or below the last; cut to its room. */
export function nodeLabel(name, isPile, [x, y], layout) {
  const isLast = layout.isDown && y > layout.height - 90;
  const isRight = layout.isDown && !isLast;
  const wide = isRight ? layout.step[0] - 2 * NODE - 6 : Math.max(layout.step[0] - 8, 40);
  const longest = Math.max(3, Math.floor(wide / LETTER));
  const text = name.length > longest ? `${name.slice(0, longest - 1)}…` : name;
  const length = text.length * LETTER;
  const pile = isPile ? 6 : 0;
  const above = y - NODE - pile - 6;
  const base = isRight ? y + 4 : isLast ? y + NODE + 15 : above;
  const left = isRight ? x + NODE + pile + 6 : x - length / 2;
  const box = { left, right: left + length, top: base - 11, bottom: base + 4 };
  return { text, x: isRight ? left : x, y: base, anchor: isRight ? "start" : "middle", box };
}

/** Where along a line a label covers nothing, and the first of its texts that fits; null if none does. */
export function lineLabel(points, texts, { boxes, others, near, layout }) {
  for (const text of texts) {
    for (const part of PARTS) {
      const label = labelAt(pointAlong(points, part), text);
      const { box } = label;
      const isInside = box.left > 2 && box.right < layout.width - 2;
      if (isInside && boxes.every((other) => isApart(box, other)) && !others.some((line) => crosses(line, box, near))) {
        return label;
      }
    }
  }
  return null;
}

function labelAt({ x, y, dx, dy }, text) {
  const length = text.length * LETTER;
  const anchor = Math.abs(dy) < 0.4 ? "middle" : dy < 0 ? "start" : "end";
  const left = { middle: x - length / 2, start: x, end: x - length }[anchor];
  const middle = y + dx * 6;
  const box = { left, right: left + length, top: middle - LINE / 2, bottom: middle + LINE / 2 };
  return { text, x, y: middle + 4, anchor, box };
}

const isApart = (box, other) =>
  box.right < other.left || box.left > other.right || box.bottom < other.top || box.top > other.bottom;

/** Whether a line runs through a box, or so near that its lanes do. */
function crosses(line, box, near) {
  const steps = Math.ceil(total(lengthsOf(line)) / SAMPLE);
  return Array.from({ length: Math.max(0, steps - 1) }, (_, i) => pointAlong(line, (i + 1) / steps)).some(
    ({ x, y }) => x > box.left - near && x < box.right + near && y > box.top - near && y < box.bottom + near,
  );
}
