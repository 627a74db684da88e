// SPDX-License-Identifier: MIT
// Charts that altair built: a page puts its own values and rows in, as `charts.filled` does in Python.
const SLOT = "slot ";

/** A chart with values in its slots, and with its rows; what has no value, and layers without rows, are left out. */
export const filled = (chart, slots, datasets) => ({ ...put(chart, slots, datasets), datasets });

function put(part, slots, datasets) {
  if (Array.isArray(part)) {
    return part.filter((item) => !isLeftOut(item, slots, datasets)).map((item) => put(item, slots, datasets));
  }
  if (part === null || typeof part !== "object") return part;
  const values = Object.entries(part).map(([key, value]) => {
    const name = slotName(value);
    return [key, name === undefined ? put(value, slots, datasets) : slots[name]];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

const slotName = (part) => (part?.expr?.startsWith?.(SLOT) ? part.expr.slice(SLOT.length) : undefined);

/** Whether a part is a layer without rows, or one whose name is a slot without a value. */
function isLeftOut(part, slots, datasets) {
  if (!part?.mark) return false;
  const name = slotName(part.name);
  return (name && slots[name] === undefined) || (part.data?.name && !datasets[part.data.name]?.length);
}
