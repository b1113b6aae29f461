// Flights of cards: after a redraw, each card that changed its pile flies there from its old place. Flights compare two
// tables that the viewer was shown, so they reveal nothing else.

import { el } from "./dom.js";
import { isOn } from "./preferences.js";

const FLIGHT = 220; // milliseconds
const STAGGER = 40; // milliseconds between two cards
const LONGEST_DEAL = 600; // milliseconds from the first card of a deal to the last
const TRICK = 1100; // milliseconds of a finished trick: its last card arrives, all are seen, the winner takes them
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class CardMotion {
  constructor(felt) {
    this.felt = felt;
    this.table = null;
    this.flights = [];
  }

  // Redraws a table and starts the flights of its cards. `isStart`: the viewer has not moved yet.
  draw(table, isStart, redraw) {
    const before = this.table;
    const moves = table !== before && !calm.matches && !isOn("fast");
    const from = moves ? this.look() : null;
    redraw();
    this.table = table;
    if (table !== before) this.flights.splice(0).forEach(({ animation }) => animation.cancel());
    if (moves) this.start(findMovedCards(before, table, isStart), from);
    this.hide();
  }

  // Position and picture of everything on the table that has a ref; of the last trick by its codes.
  look() {
    const found = new Map();
    for (const node of this.felt.querySelectorAll(".upper [data-ref], .dock [data-ref]")) {
      const box = node.getBoundingClientRect();
      const key = node.closest(".last") ? `last ${node.dataset.code}` : node.dataset.ref;
      if (box.width && !found.has(key)) {
        found.set(key, { x: box.left + box.width / 2, y: box.top + box.height / 2, width: node.matches(".card") ? node.offsetWidth : 0, src: node.querySelector(":scope > img")?.src });
      }
    }
    const middle = this.felt.querySelector(".middle")?.getBoundingClientRect();
    if (middle) found.set("middle", { x: middle.left + middle.width / 2, y: middle.top + middle.height / 2, width: 0 });
    return found;
  }

  start(moved, from) {
    const to = this.look();
    const find = (spots, refs) => refs.map((ref) => spots.get(ref)).find(Boolean);
    const wait = Math.min(STAGGER, LONGEST_DEAL / moved.length);
    moved.forEach(({ was, now }, at) => {
      const [start, end] = [find(from, was?.refs ?? []) ?? find(to, this.stock()), find(to, now.refs)];
      const trick = now.card.code && to.get(`last ${now.card.code}`);
      const src = trick?.src ?? end?.src ?? start?.src;
      if (start && end && src) this.fly(src, now.card.ref, trick ? [start, trick, trick, end] : [start, end], trick ? 0 : at * wait);
    });
  }

  // Piles that a deal can come from, in order of preference.
  stock() {
    return [...this.table.middle.piles.filter((pile) => pile.form === "stack").map((pile) => pile.ref), "middle"];
  }

  fly(src, ref, spots, delay) {
    const width = Math.max(...spots.map((spot) => spot.width));
    const ghost = el("img", { class: "flight", src, alt: "" });
    ghost.style.width = `${width}px`;
    document.body.append(ghost);
    const offsets = spots.length > 2 ? [0, 0.2, 0.8, 1] : [0, 1];
    const animation = ghost.animate(spots.map((spot, at) => ({ offset: offsets[at], easing: "ease-in-out",
      transform: `translate(${spot.x}px, ${spot.y}px) translate(-50%, -50%) scale(${(spot.width || width * 0.7) / width})` })),
    { duration: spots.length > 2 ? TRICK : FLIGHT, delay, fill: "both" });
    const flight = { ref, animation };
    this.flights.push(flight);
    const end = () => {
      ghost.remove();
      this.flights = this.flights.filter((each) => each !== flight);
      this.hide();
    };
    animation.finished.then(end, end);
  }

  // Hides the cards that are still in flight.
  hide() {
    const flying = new Set(this.flights.map(({ ref }) => ref));
    for (const card of this.felt.querySelectorAll(".card[data-ref]")) card.classList.toggle("in-flight", flying.has(card.dataset.ref) && !card.closest(".last"));
  }
}

export const listAreas = (table) => [table.middle, ...table.places, ...table.kinds];

const listCards = (table) => listAreas(table).flatMap((area) => area.piles.flatMap((pile) =>
  pile.cards.map((card) => ({ card, pile, refs: [card.ref, pile.ref, area.ref] }))));

const findDeal = (table) => [...(table.earlier ?? []), ...table.since].findLast((line) => line.anew)?.at;

// Cards that changed their pile: `was` (null if dealt) and `now`. An unknown card can be any card that has left another
// pile. A card of a trick comes from its player, if possible.
export function findMovedCards(before, after, isStart = false) {
  const dealt = before ? findDeal(before) !== findDeal(after) || (before.over && !after.over) : isStart;
  if (!before && !dealt) return [];
  if (dealt) return listCards(after).filter(({ pile }) => pile.form !== "stack").map((now) => ({ was: null, now }));
  let [old, current] = [listCards(before), listCards(after)];
  const moved = [];
  const match = (isSame, keeps = false) => {
    current = current.filter((now) => {
      const at = old.findIndex((was) => isSame(was, now));
      if (at < 0) return true;
      const [was] = old.splice(at, 1);
      if (!keeps) moved.push({ was, now });
      return false;
    });
  };
  const isHere = (was, now) => was.pile.ref === now.pile.ref;
  const isUnknown = (was, now) => !was.card.code || !now.card.code;
  match((was, now) => isHere(was, now) && was.card.code === now.card.code, true);
  match((was, now) => isHere(was, now) && isUnknown(was, now), true);
  match((was, now) => was.card.code && was.card.code === now.card.code);
  match((was, now) => isUnknown(was, now) && now.card.by && now.card.by === was.pile.owner);
  match(isUnknown);
  return moved;
}
