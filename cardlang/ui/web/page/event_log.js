// Event log next to the table: earlier events, then those since the viewer's last move. It is scrolled to the newest.

import { button, el, plural } from "./dom.js";

// Number of choices before the last event of a table.
export const getLastEventPosition = (table) => [...(table.earlier ?? []), ...table.since].at(-1)?.at ?? 0;

export class EventLog {
  constructor(view) {
    this.view = view;
  }

  draw() {
    const { mine, table } = this.view;
    const lines = [...(table.earlier ?? []), ...table.since];
    const found = mine ? lines.findIndex((line) => (line.at ?? 0) >= mine) : table.viewer ? 0 : lines.length - table.since.length;
    const cut = found < 0 ? lines.length : found;
    const [earlier, now] = [lines.slice(0, cut), lines.slice(cut)];
    if (!lines.length) return null;
    const title = mine ? "Since your last move" : "Recent";
    return el("section", { class: "since", "aria-label": "What happened" }, button("", null, { class: "more-above" }), el("div", { class: "lines" },
      earlier.length ? el("ol", { class: "earlier", "aria-label": "Earlier" }, earlier.map((each) => this.line(each))) : null,
      now.length ? [el("h3", {}, title), el("ol", { class: "new", "aria-label": title }, now.map((each) => this.line(each)))] : null));
  }

  line(each) {
    const { cards } = this.view;
    return el("li", { data: { kind: each.kind ?? "told" } }, cards.text(each.text), (each.more ?? []).map((line) => el("div", {}, cards.text(line))));
  }
}

// Scrolls to the end, hides what would be a part of a line, and shows the number of lines above.
export function scrolled(told) {
  const box = told.querySelector(".lines");
  if (!box) return;
  const more = box.previousElementSibling;
  const newest = [...box.querySelectorAll("li")].at(-1);
  const count = () => {
    const { top } = box.getBoundingClientRect();
    let above = 0;
    for (const line of box.querySelectorAll("li, h3")) {
      const cut = line !== newest && line.getBoundingClientRect().top < top - 2;
      line.classList.toggle("cut", cut);
      above += cut && line.matches("li");
    }
    more.classList.toggle("unneeded", !above);
    more.textContent = `▴ ${plural(above, "earlier line")}`;
  };
  more.onclick = () => { box.scrollTop -= box.clientHeight * 0.8; };
  box.onscroll = count;
  box.scrollTop = box.scrollHeight;
  box.scrollTop -= Math.max(0, box.getBoundingClientRect().top - newest.getBoundingClientRect().top); // a long one from its start
  count();
}
