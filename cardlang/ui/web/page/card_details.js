// Card details: a large card with its text, its marks, and the reason why it is not playable. For a pile, all its
// cards.

import { button, capital, el, fill } from "./dom.js";

const HOLD = 500; // milliseconds

export class CardDetails {
  constructor(view) {
    this.view = view;
    this.box = el("dialog", { class: "look", "aria-label": "Card details" });
    this.box.addEventListener("click", (event) => { if (!event.target.closest("button:not(.close), input")) this.box.close(); });
    this.near = el("div", { class: "near", hidden: true, "aria-hidden": "true" });
    document.body.append(this.box, this.near);
    // A card redrawn or removed under a resting pointer fires no event, so only pointer movement counts.
    document.addEventListener("pointermove", (event) => {
      if (this.of && !this.of.contains(event.target)) this.hide();
      this.pointer = [event.screenX, event.screenY];
      if (this.pressed && Math.hypot(event.clientX - this.pressed[0], event.clientY - this.pressed[1]) > 10) clearTimeout(this.holding);
    });
    document.addEventListener("pointerdown", (event) => {
      clearTimeout(this.holding);
      this.finger = event.pointerType === "touch";
      this.held = false;
      this.pressed = [event.clientX, event.clientY];
      const ref = event.target.closest("button.card")?.dataset.ref;
      if (this.finger && ref) this.holding = setTimeout(() => this.hold(ref), HOLD);
    }, true);
    for (const lifted of ["pointerup", "pointercancel"]) document.addEventListener(lifted, () => clearTimeout(this.holding), true);
    document.addEventListener("click", (event) => {
      if (this.held && event.detail) { event.stopPropagation(); event.preventDefault(); }
      this.held = false;
    }, true);
    for (const gone of ["pointerdown", "keydown", "pointerleave"]) document.addEventListener(gone, () => this.hide(), true);
  }

  // `asked`: include the reason why it is not playable.
  card(card, asked = false) {
    const marks = (card.marks ?? []).map(([name, value]) => el("p", {}, value === "yes" ? `${capital(name)}.` : `${capital(name)}: ${value}.`));
    this.reason = el("p", { class: "why", role: "status" });
    this.open(el("div", { class: "closer" }, this.view.cards.large(card, [marks, this.reason])));
    if (asked) this.view.why(card.ref);
  }

  // Whether tapping a card that is not playable enlarges it.
  isRead(card) { return this.finger && card.face !== null && this.view.cards.isRead(card.face); }

  // A long press enlarges a card. The click that some browsers send afterwards is ignored.
  hold(ref) {
    this.view.closer(ref);
    this.held = this.box.open;
  }

  // Shows the reason why an action is illegal. Returns whether the dialog is open.
  told(why) {
    if (this.box.open && this.reason) fill(this.reason, this.view.cards.text(why));
    return this.box.open;
  }

  pile(pile, drawn) {
    this.reason = null;
    this.open([el("h2", {}, pile.owner ? `${pile.owner}: ${pile.label}` : pile.label), el("div", { class: "spread" }, drawn)]);
  }

  // Confirmation dialog: `yes` runs the action, `no` only closes.
  ask(inside, yes, doing, no) {
    this.reason = null;
    this.yes = () => { this.box.close(); doing(); };
    this.open(el("div", { class: "asking" }, inside, button(yes, () => this.yes(), { class: "main", "data-key": "yes" })), no);
  }

  words(name, said) {
    this.reason = null;
    this.open(el("div", { class: "asking" }, el("h2", {}, name), el("p", {}, this.view.cards.text(said))));
  }

  open(inside, shut = "Close") {
    this.hide();
    fill(this.box, inside, button(shut, () => this.box.close(), { class: "close" }));
    if (!this.box.open) this.box.showModal();
  }

  // Hovering a card with text enlarges it immediately.
  hover(node, card) {
    if (card.face === null || !this.view.cards.isRead(card.face)) return;
    node.addEventListener("pointermove", (event) => {
      const rests = this.pointer && event.screenX === this.pointer[0] && event.screenY === this.pointer[1];
      if (event.pointerType !== "mouse" || event.buttons || rests || this.of === node) return;
      this.of = node;
      fill(this.near, this.view.cards.large(card));
      this.near.hidden = false;
      const [at, box] = [node.getBoundingClientRect(), this.near.getBoundingClientRect()];
      const left = at.left + at.width / 2 > innerWidth / 2 ? at.left - box.width - 12 : at.right + 12;
      this.near.style.left = `${Math.max(8, Math.min(left, innerWidth - box.width - 8))}px`;
      // Cards of the viewer are enlarged above the viewer's area, so that question and buttons stay visible.
      const dock = node.closest(".dock")?.getBoundingClientRect();
      const top = dock && dock.top - box.height >= 8 ? dock.top - box.height : Math.min(at.top + at.height / 2 - box.height / 2, innerHeight - box.height - 8);
      this.near.style.top = `${Math.max(8, top)}px`;
    });
    node.addEventListener("pointerleave", () => this.hide());
  }

  hide() {
    this.of = null;
    this.near.hidden = true;
  }
}
