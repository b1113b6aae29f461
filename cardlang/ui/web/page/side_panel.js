// Side panel: rules with the current section marked, player aid, log, and host tools. In a small window, it is a drawer
// with tabs, including one that shows all players in full.

import { button, el, fill } from "./dom.js";
import { narrow } from "./layout_fit.js";
import { drawPreferences } from "./preferences.js";
import { drawPlaces } from "./table_renderer.js";

const TITLES = { players: "Players", sheet: "Rules", aid: "Player aid", log: "Log", chat: "Chat", settings: "Settings", host: "Host" };

export class SidePanel {
  constructor(view) {
    this.view = view;
    this.part = null;
    this.pieces = null;
    this.panel = el("aside", { class: "beside", hidden: true, tabindex: "-1" });
  }

  open(part) {
    this.show(this.part === part ? null : part);
  }

  // `ref`: place to scroll to.
  show(part, ref = null) {
    if (!this.part) this.from = document.activeElement;
    this.part = part;
    this.drawn = null;
    this.sought = ref;
    if (this.part === "log") this.view.send({ do: "log" });
    this.update();
    if (this.part) (this.part === "chat" && !narrow() ? this.view.chat.field : this.panel).focus();
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
    if (this.part === "players") return this.places();
    if (this.part === "settings") return this.put("settings", el("div", { class: "hosting" }, drawPreferences(() => this.view.draw())));
    if (this.part === "host") return this.put("host", this.view.host.panel());
    if (this.part === "chat") return this.talk();
    if (this.part === "log") {
      if (this.logged !== this.view.at) { this.logged = this.view.at; this.view.send({ do: "log" }); }
      return;
    }
    await this.fetch();
    if (this.pieces && this.drawn !== this.part) {
      this.drawn = this.part;
      this.put(this.part, sheet(this.pieces[this.part], (to) => this.scroll(to)));
    }
    this.mark();
  }

  // Redraws the chat only if the viewer may no longer write, or may again: it contains a half-written message.
  talk() {
    const { seats, you } = this.view.seat;
    const now = `chat ${JSON.stringify(seats.find((seat) => seat.name === you))}`;
    if (this.drawn === now) return;
    this.drawn = now;
    this.put("chat", this.view.chat.panel());
  }

  async fetch() {
    const art = this.view.seat.art;
    if (!art || this.pieces?.art === art) return;
    const answer = await fetch(`/sheet/${art}`);
    if (answer.ok) { this.pieces = { art, ...(await answer.json()) }; this.drawn = null; }
  }

  put(part, ...children) {
    fill(this.panel, el("header", {}, el("h2", {}, TITLES[part]), this.tabs(), this.view.home("snug"),
      this.view.seat.begun ? button("Report", () => this.view.odd(), { "aria-label": "Report a problem", class: "snug" }) : null, button("Close", () => this.close(), { "data-key": "close-beside" })),
      el("div", { class: "paper" }, children));
  }

  tabs() {
    const parts = Object.keys(TITLES).filter((part) => (part !== "host" || this.view.seat.host) && (part !== "players" || this.view.table) && (part !== "chat" || this.view.chat.any));
    return el("nav", { class: "tabs", "aria-label": "Side panel" }, parts.map((part) => button(part === "aid" ? "Aid" : TITLES[part], () => this.show(part),
      { "data-key": `tab ${part}`, "aria-pressed": String(part === this.part) })));
  }

  places() {
    if (!this.view.table) return;
    const top = this.panel.querySelector(".paper")?.scrollTop ?? 0;
    this.put("players", el("div", { class: "all-places" }, drawPlaces(this.view)));
    const sought = this.sought && this.panel.querySelector(`.place[data-ref="${CSS.escape(this.sought)}"]`);
    if (sought) this.scroll(sought);
    else this.panel.querySelector(".paper").scrollTop = top;
    this.sought = null;
  }

  log(lines) {
    if (this.part !== "log") return;
    this.put("log", el("ol", { class: "log" }, lines.map((line) => el("li", {}, this.view.cards.text(line)))));
    const paper = this.panel.querySelector(".paper");
    paper.scrollTop = paper.scrollHeight;
  }

  // Scrolls only the panel: `scrollIntoView` would scroll the whole page.
  scroll(to) {
    const paper = this.panel.querySelector(".paper");
    paper.scrollTop += to.getBoundingClientRect().top - paper.getBoundingClientRect().top - 10;
  }

  // Marks the section that describes the current step.
  mark() {
    if (this.part !== "sheet" || !this.pieces) return;
    const anchor = this.pieces.steps[this.view.step];
    const now = anchor ? this.panel.querySelector(`#${CSS.escape(`sheet-${anchor}`)}`) : null;
    for (const before of this.panel.querySelectorAll(".now")) if (before !== now) before.classList.remove("now");
    if (now && !now.classList.contains("now")) {
      now.classList.add("now");
      this.scroll(now);
    }
  }
}

// Trusted HTML: the server escapes all strings of a game, and the content security policy blocks scripts inside.
function sheet(html, scroll) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  for (const node of parsed.querySelectorAll("[id]")) node.id = `sheet-${node.id}`;
  for (const node of parsed.querySelectorAll("[data-style]")) node.style.cssText = node.dataset.style;
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
