// What happened: the lines since the viewer's last move, below those that this page has seen before them, so that a turn
// is whole also where one was asked in the middle of it. None is dropped: the newest are in sight, the others above.

import { button, el, plural } from "./dom.js";

const KEPT = 60;
export const begins = (lines, start) => start.every((line, at) => line.text === lines[at]?.text);

export class Story {
  constructor(place) {
    this.place = place;
    this.earlier = [];
    this.now = [];
  }

  see(before, table) {
    if (before?.over && !table.over) [this.earlier, this.now] = [[], []];
    // Lines that were taken back are not what happened earlier.
    if (!begins(table.since, this.now) && !begins(this.now, table.since)) this.earlier = [...this.earlier, ...this.now].slice(-KEPT);
    this.now = table.since;
  }

  forget() { [this.earlier, this.now] = [[], []]; }

  // `told`: sentences that stand beside it already.
  draw(told) {
    const { viewer } = this.place.table;
    // A move that was the only one open is a move, too: what was told begins with the last of all.
    const own = Math.max(0, this.now.findLastIndex((line) => viewer && line.who === viewer && ["chose", "moved"].includes(line.kind)));
    const now = this.now.slice(own).filter((each) => !told.has(each.text));
    const earlier = [...this.earlier, ...this.now.slice(0, own)].filter((each) => !told.has(each.text));
    if (!now.length && !earlier.length) return null;
    return el("section", { class: "since", "aria-label": "What happened" },
      earlier.length ? el("ol", { class: "earlier", "aria-label": "Before that" }, earlier.map((each) => this.line(each))) : null,
      now.length ? [el("h3", {}, viewer ? "Since your move" : "Lately"), el("ol", { class: "new", "aria-label": viewer ? "Since your move" : "Lately" }, now.map((each) => this.line(each)))] : null);
  }

  line(each) {
    const { cards } = this.place;
    return el("li", { data: { kind: each.kind ?? "told" } }, cards.text(each.text), (each.more ?? []).map((line) => el("div", {}, cards.text(line))));
  }
}

// Shows the end of what is told, and how many lines lie above it.
export function scrolled(told) {
  const since = told.querySelector(".since");
  if (!since) return;
  const box = since.scrollHeight > since.clientHeight + 1 ? since : told;
  box.scrollTop = box.scrollHeight;
  const more = button("", () => { box.scrollTop = Math.max(0, box.scrollTop - box.clientHeight * 0.8); }, { class: "more-above" });
  since.prepend(more);
  const count = () => {
    const top = box.getBoundingClientRect().top + (more.hidden ? 0 : more.offsetHeight);
    const above = [...since.querySelectorAll("li")].filter((line) => line.getBoundingClientRect().top < top - 2).length;
    more.hidden = box.scrollTop < 2 || !above;
    more.textContent = `▴ ${plural(above, "earlier line")}`;
  };
  more.hidden = true;
  count();
  box.addEventListener("scroll", count);
}
