// SPDX-License-Identifier: MIT
// Elements of a page and menus, made in a line each.

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

/** Choose a value of a menu, if the menu has it; says whether it has. */
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

/** The rows of a table or list by what `keyOf` gives for each, in the order in which the keys first occur. */
export function groupBy(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) {
    const key = keyOf(row);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(row);
  }
  return groups;
}
