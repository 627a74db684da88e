// SPDX-License-Identifier: MIT
// Numbers as texts.

/** Four digits; a dash for an unknown value. */
export const short = (value) => (value === null ? "–" : Number(value.toPrecision(4)).toString());

/** Three digits, for a box or a label. */
export const brief = (value) =>
  Math.abs(value) >= 100 ? String(Math.round(value)) : Number(value.toPrecision(3)).toString();

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
