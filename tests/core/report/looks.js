// SPDX-License-Identifier: MIT
// What tests look up in a page, by name. `look` in seen_pages.py calls these functions.
({
  // Whether all visible figures are drawn and all visible tables have their tools.
  drawn() {
    const seen = (name) => [...document.querySelectorAll(name)].filter((each) => each.clientWidth);
    return seen(".chart").every((each) => each.dataset.drawn)
      && seen("table.data").every((each) => "equipped" in each.dataset);
  },

  // The words that a person sees of the overview and the contents without scrolling.
  words() {
    const seen = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const around = texts.currentNode.parentElement, range = document.createRange();
      if (around.closest("script, style, title, .unseen, [hidden], details:not([open]) > :not(summary)")) continue;
      range.selectNodeContents(texts.currentNode);
      const box = range.getBoundingClientRect();
      if (!box.width || box.top > innerHeight || box.right < 0 || !around.closest("aside, #overview")) continue;
      seen.push(...texts.currentNode.textContent.split(/\s+/).filter((word) => /[A-Za-z]{2}/.test(word)));
    }
    return seen;
  },

  // The words in the heads of the score card that are broken over two lines; a break at a hyphen is allowed.
  broken() {
    return [...document.querySelectorAll(".card thead a")].flatMap(({ firstChild: node }) =>
      [...node.data.matchAll(/[^\s-]+/g)].filter(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
      }).map(([word]) => word));
  },

  // The boxes of the texts in a network's drawing: left, right, top, bottom.
  networkTexts() {
    return [...document.querySelectorAll(".network .drawing svg text")].map((each) => {
      const { left, right, top, bottom } = each.getBoundingClientRect();
      return [left, right, top + 2, bottom - 2];
    });
  },

  // Clicks on a point of the explorer's figure.
  clickPoint() {
    const marks = [...document.querySelectorAll("#explorer .chart svg .mark-symbol path")];
    const mark = marks.find((path) => path.__data__.datum.combination !== undefined);
    const box = mark.getBoundingClientRect();
    const at = { bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
    for (const kind of ["mousedown", "mouseup", "click"]) mark.dispatchEvent(new MouseEvent(kind, at));
  },

  // The left and right ends of the plots on a cell's page.
  plotEnds() {
    return [...document.querySelectorAll(".plot")].map((place) => {
      const plot = place.querySelector("path.background").getBoundingClientRect();
      return [plot.left, plot.right];
    });
  },

  // The colours of a cell's page: its ground, a line and a text of a chart.
  colours() {
    const of = (element, name) => getComputedStyle(element)[name];
    const line = document.querySelector(".plot[data-chart=goodput] .mark-line path");
    const text = document.querySelector(".plot[data-chart=goodput] .role-axis-label text");
    return { ground: of(document.body, "backgroundColor"), line: of(line, "stroke"), text: of(text, "fill") };
  },

  // The colours of lines that step back.
  faded() {
    const lines = [...document.querySelectorAll(".plot[data-chart=goodput] .mark-line path[opacity='0.12']")];
    return [...new Set(lines.map((path) => path.getAttribute("stroke")))];
  },

  // What has the keyboard's focus: tag, name or text, outline, and whether it is seen.
  focused() {
    const on = document.activeElement, box = on.getBoundingClientRect();
    return [on.tagName, on.name || on.textContent.trim().slice(0, 30), getComputedStyle(on).outlineStyle,
      box.width > 0 && box.height > 0];
  },
})
