// SPDX-License-Identifier: MIT
// Functions that make a page's elements and menus in one line.

/** An element with its properties and children. */
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** Fill a menu with pairs of a value and its title; the chosen value stays if it is among them. */
export function offer(select, options, chosen = select.value) {
  select.replaceChildren(...options.map(([value, title]) => new Option(title, value)));
  choose(select, chosen);
}

/** Choose a value of a menu, if the menu has it; returns whether it does. */
export function choose(select, value) {
  const there = [...select.options].some((option) => option.value === value);
  if (there) select.value = value;
  return there;
}

/** A menu with its label, appended to `place`; `changed` is called after the reader has changed it. */
export function labelledMenu(place, name, title, changed) {
  const select = element("select", { name });
  select.addEventListener("change", changed);
  place.append(element("label", {}, title, select));
  return select;
}

/** The rows of a table or list by the key that `keyOf` returns for each, in the order of the keys' first rows. */
export function groupBy(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) {
    const key = keyOf(row);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(row);
  }
  return groups;
}
