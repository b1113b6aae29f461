// What lies beside the table: the rule sheet with the rule of this moment marked, the player aid, the log, and for a
// host what hosts can do.

import { button, el, fill } from "./dom.js";

const TITLES = { sheet: "Rules", aid: "Player aid", log: "Log", host: "Host" };

export class Beside {
  constructor(place) {
    this.place = place;
    this.part = null;
    this.pieces = null;
    this.panel = el("aside", { class: "beside", hidden: true, tabindex: "-1" });
  }

  open(part) {
    this.from = document.activeElement;
    this.part = this.part === part ? null : part;
    this.drawn = null;
    if (this.part === "log") this.place.send({ do: "log" });
    this.update();
    if (this.part) this.panel.focus();
  }

  close() {
    if (!this.part) return false;
    this.part = null;
    this.update();
    this.from?.focus?.();
    return true;
  }

  async update() {
    this.panel.hidden = !this.part;
    document.body.classList.toggle("with-beside", Boolean(this.part));
    if (!this.part) return;
    this.panel.setAttribute("aria-label", TITLES[this.part]);
    if (this.part === "host") return this.put("host", this.place.host.panel());
    if (this.part === "log") {
      if (this.logged !== this.place.at) { this.logged = this.place.at; this.place.send({ do: "log" }); }
      return;
    }
    await this.fetch();
    if (this.pieces && this.drawn !== this.part) {
      this.drawn = this.part;
      this.put(this.part, sheet(this.pieces[this.part], (to) => this.scroll(to)));
    }
    this.mark();
  }

  async fetch() {
    const art = this.place.seat.art;
    if (!art || this.pieces?.art === art) return;
    const answer = await fetch(`/sheet/${art}`);
    if (answer.ok) { this.pieces = { art, ...(await answer.json()) }; this.drawn = null; }
  }

  put(part, ...children) {
    fill(this.panel, el("header", {}, el("h2", {}, TITLES[part]), button("Close", () => this.close(), { "data-key": "close-beside" })),
      el("div", { class: "paper" }, children));
  }

  log(lines) {
    if (this.part !== "log") return;
    this.put("log", el("ol", { class: "log" }, lines.map((line) => el("li", {}, this.place.cards.text(line)))));
    const paper = this.panel.querySelector(".paper");
    paper.scrollTop = paper.scrollHeight;
  }

  // The paper alone moves: a browser that is asked to show something moves the whole page for it.
  scroll(to) {
    const paper = this.panel.querySelector(".paper");
    paper.scrollTop += to.getBoundingClientRect().top - paper.getBoundingClientRect().top - 10;
  }

  // The section that tells the step in which the rule of this moment stands.
  mark() {
    if (this.part !== "sheet" || !this.pieces) return;
    const anchor = this.pieces.steps[this.place.step];
    const now = anchor ? this.panel.querySelector(`#${CSS.escape(`sheet-${anchor}`)}`) : null;
    for (const before of this.panel.querySelectorAll(".now")) if (before !== now) before.classList.remove("now");
    if (now && !now.classList.contains("now")) {
      now.classList.add("now");
      this.scroll(now);
    }
  }
}

// The server escapes every text of a game in these pieces, and the policy of this page runs nothing that stands in them.
function sheet(html, scroll) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  for (const node of parsed.querySelectorAll("[id]")) node.id = `sheet-${node.id}`;
  for (const node of parsed.querySelectorAll("use")) node.setAttribute("href", `#sheet-${node.getAttribute("href").slice(1)}`);
  const whole = el("div", { class: "sheet" }, ...parsed.body.childNodes);
  whole.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link) return;
    event.preventDefault();
    const to = whole.querySelector(`#${CSS.escape(`sheet-${link.getAttribute("href").slice(1)}`)}`);
    if (to) scroll(to);
  });
  return whole;
}
