// SPDX-License-Identifier: MIT
// What is wrong with the layout of a page's first screen, by the boxes of its parts; empty if nothing is.
() => {
  const wrong = [];
  const overview = document.getElementById("overview");
  const seen = (each) => each.checkVisibility() && !each.closest(".unseen, [hidden], details:not([open]) > :not(summary)");
  const boxOf = (each) => each.getBoundingClientRect();
  const inset = (box, by) => ({ left: box.left + by, right: box.right - by, top: box.top + by, bottom: box.bottom - by });
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const said = (each) => each.textContent.trim().slice(0, 40);

  // Texts of drawings: none over another.
  for (const svg of overview.querySelectorAll("svg")) {
    const texts = [...svg.querySelectorAll("text")].filter((each) => said(each) && seen(each) && boxOf(each).width);
    texts.forEach((one, number) => {
      for (const other of texts.slice(0, number))
        if (meet(inset(boxOf(one), 1.5), inset(boxOf(other), 1.5))) wrong.push(`"${said(one)}" over "${said(other)}"`);
    });
  }

  // Marks of the plane: none on the border, and no name over a large one.
  const plane = overview.querySelector("#overview-plane svg.marks");
  if (plane) {
    const ground = boxOf(plane.querySelector("path.background"));
    const symbols = [...plane.querySelectorAll(".mark-symbol.role-mark path")].map(boxOf);
    for (const { left, right, top, bottom } of symbols) {
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      if (Math.min(x - ground.left, ground.right - x, y - ground.top, ground.bottom - y) < 3) wrong.push("a mark on the border");
    }
    const large = symbols.filter(({ width }) => width > 9);
    for (const name of plane.querySelectorAll(".mark-text.role-mark text"))
      if (large.some((mark) => meet(inset(mark, 2), inset(boxOf(name), 2)))) wrong.push(`${said(name)} covers a mark`);
  }

  // Nothing is cut, but for what scrolls.
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page is wider than the window");
  const texts = document.createTreeWalker(overview, NodeFilter.SHOW_TEXT);
  const lines = [];
  while (texts.nextNode()) {
    const around = texts.currentNode.parentElement;
    if (!said(texts.currentNode) || !seen(around) || around.closest("title, script, style, .tip")) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const box = range.getBoundingClientRect();
    if (!box.width) continue;
    lines.push(box);
    const scroll = around.closest(".scroll");
    const panel = around.closest(".panel");
    if (!scroll && panel && (box.right > boxOf(panel).right + 1 || box.left < boxOf(panel).left - 1))
      wrong.push(`"${said(texts.currentNode)}" out of its panel`);
    const cell = around.closest("td, th");
    if (cell && !around.closest("svg") && box.right > boxOf(cell).right + 6) wrong.push(`"${said(texts.currentNode)}" over the next cell`);
  }

  // No row is much higher than what it holds.
  for (const row of overview.querySelectorAll("tbody tr")) {
    if (!seen(row) || !boxOf(row).height) continue;
    const high = [...row.cells].map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getBoundingClientRect().height;
    });
    if (getComputedStyle(row).display === "table-row" && boxOf(row).height > 1.25 * Math.max(...high) + 16) wrong.push("a stretched row");
  }

  // No large part of the first screen is empty.
  const step = 20;
  const area = boxOf(document.querySelector("main"));
  const parts = [...document.querySelectorAll("main :is(.panel, .chart, table, svg, select, button, .alert)")].filter(seen).map(boxOf);
  const after = [...document.querySelectorAll("main :is(h1, h2, h3, p, li, dd, dt, summary, label)")].filter(seen).map(boxOf);
  const boxes = [...parts, ...lines, ...after];
  const [left, wide] = [area.left, Math.floor(area.width / step)];
  const heights = new Array(wide).fill(0);
  let most = 0;
  for (let y = step / 2; y < innerHeight; y += step) {
    for (let i = 0; i < wide; i++) {
      const x = left + (i + 0.5) * step;
      const full = boxes.some((box) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom);
      heights[i] = full ? 0 : heights[i] + 1;
    }
    for (let i = 0; i < wide; i++)
      for (let j = i, low = Infinity; j < wide; j++) {
        low = Math.min(low, heights[j]);
        most = Math.max(most, low * (j - i + 1));
      }
  }
  const empty = (most * step * step) / (area.width * innerHeight);
  if (empty > 0.25) wrong.push(`${Math.round(100 * empty)} % of the first screen are empty`);
  return wrong;
}
