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
    return el("section", { class: "since", "aria-label": "What happened" },
      earlier.length ? el("ol", { class: "earlier", "aria-label": "Earlier" }, earlier.map((each) => this.line(each))) : null,
      now.length ? [el("h3", {}, title), el("ol", { class: "new", "aria-label": title }, now.map((each) => this.line(each)))] : null);
  }

  line(each) {
    const { cards } = this.view;
    return el("li", { data: { kind: each.kind ?? "told" } }, cards.text(each.text), (each.more ?? []).map((line) => el("div", {}, cards.text(line))));
  }
}

// Scrolls to the end and shows the number of lines above.
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
