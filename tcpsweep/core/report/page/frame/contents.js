// SPDX-License-Identifier: MIT
// The contents at the left: the current section's link is marked, and narrow windows fold the menu.
export function startContents() {
  const links = new Map([...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]));
  const seen = new IntersectionObserver(
    (entries) => {
      for (const entry of entries.filter(({ isIntersecting }) => isIntersecting)) {
        for (const link of links.values()) link.removeAttribute("aria-current");
        links.get(entry.target.id)?.setAttribute("aria-current", "true");
      }
    },
    { rootMargin: "-20% 0px -70% 0px" },
  );
  for (const id of links.keys()) seen.observe(document.getElementById(id));
}

export function startMenu() {
  const menu = document.querySelector(".menu");
  const narrow = matchMedia("(max-width: 70rem)");
  const fold = () => {
    menu.open = !narrow.matches;
  };
  narrow.addEventListener("change", fold);
  fold();
}
