// Chat: messages of the players, also from before this page was opened. A new one appears for a moment at its player's
// place.

import { button, el, fill, say, toast } from "./dom.js";

const EMOTES = ["Hello", "Well played", "Thanks", "Oops", "Thinking …", "Good game"];
const SHOWN = 5000; // milliseconds of a new message at its player's place

export class Chat {
  constructor(view) {
    this.view = view;
    this.lines = new Map(); // by number, because a reconnection repeats them
    this.unread = 0;
    this.heard = false; // whether the earlier messages have arrived
    this.list = el("ol", { class: "chat", "aria-label": "Messages" });
    this.field = el("input", { maxlength: 200, "aria-label": "Message", placeholder: "Message", "data-key": "chat", autocomplete: "off" });
  }

  // Whether the table has anyone to talk to.
  get any() { return this.lines.size > 0 || this.view.seat.seats.filter((seat) => seat.kind === "person").length > 1; }

  hear(lines) {
    const isOpen = this.view.sidePanel.part === "chat";
    const fresh = lines.filter((line) => !this.lines.has(line.number));
    for (const line of fresh) this.lines.set(line.number, line);
    if (this.heard) fresh.filter((line) => line.who !== this.view.seat.you).forEach((line) => this.announce(line, isOpen));
    this.heard = true;
    if (isOpen) this.draw();
  }

  announce({ who, text }, isOpen) {
    const ref = this.view.table?.places.find((place) => place.name === who)?.ref;
    const place = ref && this.view.felt.querySelector(`.place[data-ref="${CSS.escape(ref)}"]`);
    if (!isOpen) this.unread += 1;
    if (!isOpen && !place) return toast(`${who}: ${text}`);
    say(`${who}: ${text}`);
    if (isOpen) return;
    const box = place.getBoundingClientRect();
    const bubble = el("p", { class: "bubble", data: { ref } }, text);
    document.querySelector(`.bubble[data-ref="${CSS.escape(ref)}"]`)?.remove();
    document.body.append(bubble);
    bubble.style.left = `${Math.max(8, Math.min(box.left + 12, innerWidth - bubble.offsetWidth - 8))}px`;
    bubble.style.top = `${box.top + 12}px`;
    setTimeout(() => bubble.remove(), SHOWN);
  }

  panel() {
    this.unread = 0;
    const { you, seats } = this.view.seat;
    const mine = seats.find((seat) => seat.name === you);
    this.draw();
    if (!mine?.sat) return [this.list, el("p", { class: "quiet" }, you ? "You can write once you have joined." : "Only players can write.")];
    if (mine.muted) return [this.list, el("p", { class: "quiet" }, "The host has switched off your chat.")];
    return [this.list, el("div", { class: "emotes" }, EMOTES.map((text) => button(text, () => this.send(text)))),
      el("form", { class: "row", onsubmit: (event) => { event.preventDefault(); this.write(); } }, this.field, el("button", { type: "submit", class: "main" }, "Send"))];
  }

  draw() {
    const lines = [...this.lines.values()];
    fill(this.list, lines.length ? lines.map(({ who, text }) => el("li", {}, el("strong", {}, `${who}: `), text)) : el("li", { class: "quiet" }, "No messages yet."));
    requestAnimationFrame(() => { this.list.scrollTop = this.list.scrollHeight; });
  }

  async write() {
    const text = this.field.value;
    if (text.trim() && !(await this.send(text)) && this.field.value === text) this.field.value = "";
  }

  send(text) { return this.view.send({ do: "say", text }); }
}
