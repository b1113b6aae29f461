// Input at the table: clicks, drag and drop and keyboard focus on cards, piles and players; selections, numbers,
// buttons.

import { el, toast } from "./dom.js";

// Whether a pile lies face up in front of a player or another value of a kind.
export const hasColumn = (place) => place.piles.some((pile) => ["row", "fan"].includes(pile.form) && pile.empty_stays);

export class TableInput {
  constructor(view) {
    this.view = view;
    this.passing = false; // passes on reactions that do not concern the viewer
    this.passedAt = null; // position of the last automatic pass
    this.clear();
  }

  get ask() { return this.view.table?.ask ?? null; }

  clear() {
    this.held = [];     // refs given so far of a move that needs several
    this.chosen = null; // selected refs as shown, before the server confirms them
    this.played = new Set(); // refs of the answer on its way
    this.unsaid = 0;    // number of selection changes without a reply
    this.completes = true; // selects the rest if there is only one way; not after a deselection
    this.amounts = new Map();
    this.group = null;  // common label of the expanded group of moves
  }

  settle(table) {
    // A table older than the last change would revert it.
    const choosing = table.ask?.choosing;
    if (!choosing || this.unsaid) return;
    this.chosen = [...choosing.chosen];
    if (this.completes && choosing.needs?.length && !this.isSingle(choosing)) this.select([...this.chosen, ...choosing.needs]);
  }

  // Shows a selection and tells the server.
  select(refs) {
    this.chosen = refs;
    this.unsaid += 1;
    this.view.send({ do: "chosen", refs }).then(() => { this.unsaid = Math.max(0, this.unsaid - 1); });
  }

  // ---------------------------------------------------------------- legal moves
  actions() {
    return (this.ask?.actions ?? []).filter((action) => this.held.every((ref) => (action.touches ?? []).includes(ref)));
  }

  touches(ref) {
    return this.actions().some((action) => (action.touches ?? []).includes(ref));
  }

  // Whether a place is to be clicked now: after the card that goes there, if there is one.
  isTarget(ref) {
    return this.actions().some(({ touches = [] }) => touches.includes(ref) && (this.held.length || !this.hasCard({ touches })));
  }

  hasCard({ touches = [] }) { return touches.some((ref) => ref.includes("#")); }

  choosable(ref) {
    return this.ask?.choosing?.open.includes(ref) ?? false;
  }

  isOpen(ref) {
    const meant = this.meant(ref);
    return this.choosable(ref) || (meant.includes("#") && this.touches(meant));
  }

  // The card or place of a move that a click on a card means: one of several identical cards of a pile that moves name,
  // the card that carries it in a column if the rules move runs, or the place of its pile as the target of the held card.
  meant(ref) {
    if (this.held.includes(ref) || this.touches(ref)) return ref;
    const { table: { places, middle, kinds }, seat } = this.view;
    const place = [middle, ...places, ...kinds].find((each) => each.piles.some((pile) => pile.cards.some((card) => card.ref === ref)));
    if (!place) return ref;
    if (this.held.length && this.touches(place.ref)) return place.ref;
    const { cards } = place.piles.find((pile) => pile.cards.some((card) => card.ref === ref));
    const looks = (card) => JSON.stringify([card.code, card.face, card.marks, card.note]);
    const at = cards.findIndex((card) => card.ref === ref);
    if (cards[at].face === null) return ref;
    const alike = cards.find((card) => looks(card) === looks(cards[at]) && this.touches(card.ref));
    const below = seat.runs && kinds.includes(place) && hasColumn(place) ? cards.slice(0, at).findLast((card) => this.touches(card.ref)) : null;
    return (alike ?? below)?.ref ?? ref;
  }

  // The move that a click on a pile makes, such as to draw from it, or to put the held card there.
  tapped(pile) {
    const found = this.actions().filter((action) => action.pile && action.pile === pile && (this.held.length || !this.hasCard(action)));
    return found.length === 1 ? found[0] : null;
  }

  isChosen(ref) {
    return this.held.includes(ref) || (this.ask?.choosing && this.chosen?.includes(ref)) || false;
  }

  // ---------------------------------------------------------------- actions
  touch(ref) {
    if (this.choosable(ref) || this.chosen?.includes(ref)) return this.toggle(ref);
    ref = this.meant(ref);
    if (this.held.includes(ref)) {
      const whole = this.actions().filter(({ touches = [] }) => touches.every((each) => this.held.includes(each)));
      if (whole.length === 1 && !this.unseen(ref)) return this.make(whole[0].move); // a second click needs no target
      this.held = this.held.filter((each) => each !== ref);
      return this.view.draw();
    }
    if (!this.touches(ref)) {
      const tapped = this.tapped(ref.split("#")[0]);
      if (tapped) return this.make(tapped.move);
      if (!this.held.length) return this.view.refuse(ref);
      this.held = []; // another card instead
      return this.touch(ref);
    }
    this.held = [...this.held, ref];
    const left = this.actions();
    if (left.length === 1 && !this.unseen(ref)) return this.make(left[0].move);
    this.view.draw();
  }

  // A click on a face-down card in the viewer's own hand only holds it. A button shows the move.
  unseen(ref) {
    const { places, viewer } = this.view.table;
    return places.flatMap((each) => each.piles).some((pile) => pile.form === "hand" && pile.owner === viewer && pile.cards.some((card) => card.ref === ref && card.face === null));
  }

  // A set of exactly one card is played by a click, like any single card.
  isSingle({ low, high, labels }) { return low === 1 && high === 1 && labels.every((label) => !label); }

  toggle(ref) {
    const chosen = this.chosen ?? [];
    const { high, open } = this.ask.choosing;
    if (this.isSingle(this.ask.choosing)) {
      this.chosen = [ref];
      return this.confirm();
    }
    this.completes = !chosen.includes(ref);
    this.select(!this.completes ? chosen.filter((each) => each !== ref) : high === 1 ? [ref] : open.includes(ref) ? [...chosen, ref] : chosen);
    this.view.draw();
  }

  confirm() {
    const { choosing } = this.ask;
    const refs = this.chosen ?? choosing.chosen;
    const looked = refs.length === choosing.chosen.length && refs.every((ref) => choosing.chosen.includes(ref));
    if (looked && !choosing.ready) return toast(choosing.why || "Not yet.");
    this.view.results.go();
    this.played = new Set(refs);
    this.view.send({ do: "confirm", refs });
  }

  make(move) {
    this.held = [];
    if (this.view.sidePanel.part === "players") this.view.sidePanel.close();
    this.view.results.go();
    this.played = new Set(this.actions().find((action) => action.move === move)?.touches);
    this.view.send({ do: "move", move });
  }

  // Passes now and on the following reactions, until another decision or an action that names the viewer.
  passOn() {
    this.passing = true;
    this.pass(this.view.at);
  }

  goOnPassing(at) {
    if (!this.ask || this.passedAt === at) return;
    this.passing = this.passing && this.ask.reacts_to === "others";
    if (this.passing) this.pass(at);
  }

  pass(at) {
    this.passedAt = at;
    this.make(this.ask.actions.find((action) => action.text === "pass").move);
  }

  raise(amount) {
    const at = this.amountAt(amount);
    this.make(amount.moves[at]);
  }

  // Place of the chosen number: at first that of the smallest named size, such as half the pot, but never all-in.
  amountAt(amount) {
    const size = amount.sizes?.find(([name]) => name !== "all-in")?.[1];
    return Math.min(this.amounts.get(amount.label) ?? Math.max(0, amount.amounts.indexOf(size)), amount.amounts.length - 1);
  }

  // ---------------------------------------------------------------- keys
  key(event) {
    const here = document.activeElement;
    const card = here?.closest?.("[data-ref]");
    if (event.key === "Escape" && this.held.length) { this.held = []; this.view.draw(); return true; }
    if (event.key.startsWith("Arrow")) return this.walk(event.key, here);
    if (event.key === "Enter" && this.ask?.choosing && (!here || here === document.body || card)) { this.confirm(); return true; }
    if (event.key === "w" && card) { this.view.closer(card.dataset.ref); return true; }
    const action = this.actions().find((each) => each.key && each.key === event.key);
    if (action) { this.make(action.move); return true; }
    const amount = (this.ask?.amounts ?? []).find((each) => each.key === event.key);
    if (amount) { document.querySelector(`[data-amount="${CSS.escape(amount.label)}"]`)?.focus(); return true; }
    return false;
  }

  walk(key, here) {
    const all = [...this.view.page.querySelectorAll(".mine button.card, .mine .ask button, .mine .ask input, .felt button.card, .felt button.spot, .felt button.who")];
    if (!all.length) return false;
    const found = all.indexOf(here);
    const hand = all.findIndex((each) => each.matches(".mine .hand button.card"));
    const step = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
    const next = found < 0 ? Math.max(hand, 0) : (found + step + all.length) % all.length;
    all[next].focus();
    return true;
  }

  // ---------------------------------------------------------------- dragging
  // Dragging a card selects it. Dropping it on a target of its moves selects the target as well.
  draggable(node, ref) {
    node.addEventListener("pointerdown", (down) => {
      if (down.button !== 0 || !this.isOpen(ref)) return;
      let ghost = null;
      const move = (event) => {
        const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY];
        if (!ghost && (Math.hypot(x, y) < 10 || this.view.details.box.open)) return;
        if (!ghost) {
          ghost = el("div", { class: "ghost" }, node.querySelector("img").cloneNode());
          ghost.style.width = `${node.getBoundingClientRect().width}px`;
          document.body.append(ghost);
          document.body.classList.add("dragging");
        }
        ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
      };
      const end = (event) => {
        removeEventListener("pointermove", move);
        removeEventListener("pointerup", end);
        removeEventListener("pointercancel", end);
        if (!ghost) return;
        ghost.remove();
        document.body.classList.remove("dragging");
        node.addEventListener("click", (click) => { click.stopImmediatePropagation(); click.preventDefault(); }, { capture: true, once: true });
        setTimeout(() => this.view.draw(), 0);
        if (event.type === "pointerup") this.drop(ref, document.elementFromPoint(event.clientX, event.clientY));
      };
      addEventListener("pointermove", move);
      addEventListener("pointerup", end);
      addEventListener("pointercancel", end);
    });
  }

  drop(ref, over) {
    const home = ref.slice(0, ref.indexOf("#"));
    const target = over?.closest("[data-ref]")?.dataset.ref ?? "";
    if (!over?.closest(".felt") || target === ref || target === home || target.startsWith(`${home}#`)) return;
    if (this.choosable(ref)) {
      if (!this.chosen?.includes(ref)) this.toggle(ref);
      return;
    }
    this.held = [this.meant(ref)];
    const both = this.actions().filter((action) => action.touches.includes(this.meant(target)) || action.pile === target.split("#")[0]);
    const left = both.length ? both : this.actions();
    if (left.length === 1) this.make(left[0].move);
    else this.view.draw();
  }
}
