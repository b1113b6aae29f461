// Renders the table from its JSON value. Every redraw replaces all elements; `data-key` attributes preserve the focus.

import { amounts, inParts } from "./amount_controls.js";
import { button, capital, el, fill, plural } from "./dom.js";
import { fit, fitAlone, isTouched, narrow, planLayout } from "./layout_fit.js";
import { codesIn, getLastTrick, listsCards } from "./results.js";
import { hasColumn, TableInput } from "./table_input.js";
import { scrolled } from "./event_log.js";

// Draws the table. A new layout is planned for the fullest tables of other matches, so that each part gets its room; a
// table that is fuller still joins them.
export function drawTable(felt, view) {
  plan(felt, view);
  draw(felt, view);
  if (!fit(felt) && fitAlone(felt) && !view.acting.held.length && !view.acting.group) {
    view.fullest.push(view.table);
    plan(felt, view);
    draw(felt, view);
    if (!fit(felt)) fitAlone(felt);
  }
  felt.append(view.results.draw(new TableRenderer(view)));
  view.results.fit();
  scrolled(felt.querySelector(".told"));
}

function plan(felt, view) {
  const { table, acting } = view;
  planLayout(felt, view.at, view.fullest.length, () => {
    view.acting = new TableInput(view);
    const felts = view.fullest.map((fullest) => {
      view.table = fullest;
      const made = el("div", { class: "felt planned", data: felt.dataset });
      draw(made, view);
      return made;
    });
    Object.assign(view, { table, acting });
    fill(felt, felts);
    return felts;
  });
}

function draw(felt, view) {
  const { table } = view;
  const draw = new TableRenderer(view);
  const [me, ...others] = table.viewer ? table.places : [null, ...table.places];
  felt.dataset.others = Math.min(others.length, 6);
  felt.classList.toggle("yours", Boolean(table.ask));
  fill(felt,
    el("div", { class: "upper" }, el("div", { class: "others" }, ["left", "above", "right"].map((where) => el("div", { class: `side ${where}` },
      others.filter((place) => side(place.seat + (me ? 0 : 1), others.length + 1) === where).map((place) => draw.other(place))))),
    el("div", { class: "middle" }, draw.middle())),
    el("div", { class: "dock" }, el("div", { class: "told", onclick: (event) => narrow() && !event.target.closest("button") && view.sidePanel.show("log") }, view.results.beside(draw), view.eventLog.draw(), narrow() ? null : draw.counsel()),
    me ? draw.mine(me) : el("section", { class: "mine" }, el("p", { class: "ask quiet" }, waiting(table)))));
}

// All players in full, for the drawer of a small window.
export function drawPlaces(view) {
  const draw = new TableRenderer(view);
  return [...view.table.places.map((each) => draw.other(each)), ...draw.readings()];
}

function waiting(table) {
  if (table.over) return table.winners.length ? `${list(table.winners)} ${table.winners.length > 1 ? "win" : "wins"}.` : "The match is over.";
  return table.waiting ? `${table.waiting} is thinking.` : "";
}

const list = (names, word = "and") => names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1)}`;

const lastWordOff = (label) => label.slice(0, Math.max(0, label.lastIndexOf(" ")));

const PLACES = 5; // a row in the middle that is never longer has so many places

class TableRenderer {
  constructor(view) {
    this.view = view;
    this.table = view.table;
    this.seat = view.seat;
    this.acting = view.acting;
    this.hint = view.hint?.at === view.at ? view.hint : null;
  }

  // -------------------------------------------------------------- cards
  card(card, options = {}) {
    const { acting } = this;
    const open = !options.inert && (acting.isOpen(card.ref) || Boolean(options.taps));
    const chosen = acting.isChosen(card.ref) || Boolean(card.chosen && acting.chosen === null);
    const src = this.view.cards.picture(card);
    const marks = (card.marks ?? []).map(([name, value]) => value === "yes" ? name : `${name} ${value}`);
    const brief = (card.marks ?? []).map(([name, value]) => value === "yes" ? name : value);
    const said = [card.face === null ? "face-down card" : this.view.cards.called(card), ...marks, card.note, card.by ? `played by ${card.by}` : "",
      options.copies > 1 ? `${options.copies} cards` : "", card.fresh ? "new in your hand" : "", chosen ? "selected" : "", options.dim && !open ? "not playable now" : ""].filter(Boolean).join(", ");
    const inner = [el("img", { src, alt: "", draggable: "false" }), this.view.cards.index(card),
      options.numbered && card.face === null ? el("span", { class: "number", "aria-hidden": "true" }, card.ref.split("#")[1]) : null,
      marks.length ? el("span", { class: "marks" }, brief.map((mark) => el("span", {}, mark))) : null,
      card.fresh ? el("span", { class: "new" }, "new") : null,
      options.copies > 1 ? el("span", { class: "copies", "aria-hidden": "true" }, `×${options.copies}`) : null,
      card.note && !options.noted ? el("span", { class: "note-on" }, card.note) : null];
    const hinted = this.hint && (this.hint.refs?.includes(card.ref) || (this.hint.move !== null && card.moves?.includes(this.hint.move)));
    const classes = ["card", open ? "open" : "", options.taps && acting.held.length ? "target" : "", hinted ? "hinted" : "", chosen ? "chosen" : "", card.counts ? "counts" : "",
      options.dim && !open ? "dim" : "", options.class ?? ""].filter(Boolean).join(" ");
    const data = { ref: card.ref, key: card.ref, code: card.code ?? "" };
    if (!open && !chosen && !options.focus && card.face === null && !card.known) {
      return el("span", { class: classes, role: "img", "aria-label": said, title: said, data, vars: options.vars }, inner);
    }
    const made = el("button", { type: "button", class: classes, "aria-label": said, title: said, data, vars: options.vars, tabindex: open || chosen || options.focus ? null : "-1",
      "aria-pressed": acting.choosable(card.ref) || chosen ? String(chosen) : null,
      onclick: () => acting.touch(card.ref),
      oncontextmenu: (event) => { event.preventDefault(); this.view.closer(card.ref); } }, inner);
    this.view.details.hover(made, card);
    acting.draggable(made, card.ref);
    return made;
  }

  // -------------------------------------------------------------- piles
  pile(pile, options = {}) {
    const absent = !pile.cards.length && !pile.empty_stays && !this.acting.touches(pile.ref) && !this.acting.tapped(pile.ref);
    if (absent && !options.stays) return null;
    const inert = this.isPicked(pile);
    const body = this.body(pile, { ...options, inert });
    const count = pile.cards.length;
    const counted = count > 1 && (pile.form === "stack" || pile.owner !== this.table.viewer);
    const label = options.titled ? (count ? plural(count, "card") : "") : `${capital(pile.label)}${counted ? ` · ${count}` : ""}`;
    const touched = !inert && isTouched(pile, pile.cards.some((card) => this.acting.isOpen(card.ref)), Boolean(this.table.ask) && !this.acting.held.length);
    const worded = pile.form === "row" && pile.cards.some((card) => card.face !== null && this.view.cards.isRead(card.face));
    return el("figure", { class: `pile ${pile.form} ${worded ? "worded" : ""} ${touched ? "touched" : ""} ${absent ? "absent" : ""} ${liesOpen(pile) ? "lies-open" : ""} ${count > 14 && ["row", "fan"].includes(pile.form) ? "big" : ""}`, data: { ref: pile.ref } },
      body, options.bare || pile.form === "trick" ? null : el("figcaption", {}, this.spot(pile, label)));
  }

  // In a small window, the cards to choose from in a player's row are drawn below the question, large enough to tap.
  isPicked(pile) {
    return narrow() && Boolean(this.table.ask) && ["row", "fan"].includes(pile.form) && pile.cards.some((card) => this.acting.isOpen(card.ref)) && this.table.places.some((place) => place.piles.includes(pile));
  }

  picks() {
    const piles = this.table.places.flatMap((place) => place.piles).filter((pile) => this.isPicked(pile));
    const labels = new Set(piles.map((pile) => pile.label));
    const called = ({ owner, label }) => `${owner === this.table.viewer ? "You" : owner}${labels.size === 1 && piles.length > 1 ? "" : `: ${label}`}`;
    return piles.length ? el("div", { class: "picks" }, piles.map((pile) => el("figure", { vars: { "--n": pile.cards.length } }, el("figcaption", {}, called(pile)),
      el("div", { class: "cards", role: "group", "aria-label": pile.label }, pile.cards.map((card) => this.card(card)))))) : null;
  }

  spot(pile, label) {
    if (!this.acting.isTarget(pile.ref)) return label;
    return button(label, () => this.acting.touch(pile.ref), { class: "spot open", "data-key": pile.ref });
  }

  body(pile, options) {
    const { cards } = pile;
    if (pile.form === "trick") return this.tricks(pile);
    const { places = 0 } = options;
    const free = Array.from({ length: places - cards.length }, () => el("span", { class: "card empty", "aria-hidden": "true" }));
    if (!cards.length) return el("div", { class: "cards" }, places ? free : this.emptySpot(pile));
    const several = cards.filter((card) => this.acting.isOpen(card.ref) || card.marks?.length).length > 1;
    if (pile.form === "stack" && !several) return this.stack(pile);
    const across = pile.form === "grid" && pile.across ? { "--across": pile.across } : {};
    const hidden = cards.every((card) => card.face === null) && !cards.some((card) => this.acting.isOpen(card.ref) || card.marks?.length);
    const held = pile.form === "hand" && pile.owner === this.table.viewer;
    const crowded = pile.form === "grid" || held ? "" : hidden ? "backs" : pile.form !== "hand" && cards.length > 5 && !(narrow() && cards.some((card) => this.acting.isOpen(card.ref))) ? "tight" : "";
    const middle = (cards.length - 1) / 2;
    const rows = held && cards.length > 8 ? "rows" : "";
    const inRow = Math.ceil(cards.length / Math.ceil(cards.length / 7));
    return el("div", { class: `cards ${crowded} ${rows}`, role: "group", data: { count: cards.length }, vars: { "--n": cards.length, "--row": inRow, ...across },
      "aria-label": hidden ? `${pile.label}: ${plural(cards.length, "card")}` : pile.label },
    (this.isCollapsed(pile) ? this.copies(cards) : cards).map((card, at) => this.card(card, { ...options, numbered: held, copies: card.copies,
      vars: { "--i": at, "--off": at - middle, ...cell(pile, at) } })), free);
  }

  emptySpot(pile) {
    const taps = this.acting.tapped(pile.ref);
    return taps ? el("button", { type: "button", class: `card empty open ${this.acting.held.length ? "target" : ""}`, "aria-label": `${pile.label}: ${taps.label}`, onclick: () => this.acting.make(taps.move) })
      : el("span", { class: "card empty", role: "img", "aria-label": `${pile.label}: empty` });
  }

  // In a small window, equal cards of a long row on the table are drawn once, with their number.
  isCollapsed(pile) { return narrow() && pile.form === "row" && pile.owner === null && pile.cards.length > 7; }

  copies(cards) {
    const groups = new Map();
    for (const card of cards) {
      const key = card.face === null ? card.ref : JSON.stringify([card.face, card.turned, card.marks, card.note, this.acting.isOpen(card.ref), this.acting.isChosen(card.ref)]);
      groups.set(key, { ...(groups.get(key) ?? card), copies: (groups.get(key)?.copies ?? 0) + 1 });
    }
    return [...groups.values()];
  }

  stack(pile) {
    const top = this.top(pile);
    const open = pile.cards.filter((card) => this.acting.isOpen(card.ref) && card.ref !== top.ref);
    const depth = Math.min(4, Math.ceil(pile.cards.length / 8));
    return el("div", { class: "cards", data: { depth, count: pile.cards.length }, role: "group", "aria-label": `${pile.label}: ${plural(pile.cards.length, "card")}` },
      this.card(top, { taps: this.acting.tapped(pile.ref) }), open.map((card) => this.card(card)));
  }

  // Top card of a stack as it lies. A face-down card stays face down even if it is known. Its details show it.
  top(pile) {
    const card = pile.cards.at(-1);
    const shown = (card.up && pile.name !== "deck" && !(pile.put_down && pile.owner !== null)) || this.acting.isOpen(card.ref);
    return shown ? card : { ...card, face: null, code: null, title: null, known: card.face !== null };
  }

  // Until the next trick starts, the last one stays on the table with a line about it, except after the end of a deal.
  // Before a move of the viewer, it is swept away after a while.
  tricks(pile) {
    const last = this.lastTrick();
    return el("div", { class: last ? `last ${this.view.isSwept ? "swept" : ""}` : "" }, this.trick(last?.hands[0] ?? pile), el("p", {}, last && !listsCards(last) ? this.view.cards.text(last.headline, codesIn(last.hands)) : null));
  }

  lastTrick() {
    const piles = this.table.middle.piles.filter((pile) => pile.form === "trick");
    const last = getLastTrick(this.table);
    return last?.hands.length && !this.table.over && piles.length && !piles.some((pile) => pile.cards.length) ? last : null;
  }

  // A trick as a line: players and their cards.
  played(pile) {
    return el("span", { class: "played" }, pile.cards.map((card) => el("span", {}, `${card.by ?? ""} `, this.view.cards.text(`[${card.code}]`))));
  }

  // Players who have not played yet have a reserved spot, so that no card moves later.
  trick(pile) {
    const names = this.table.places.map((place) => place.name);
    const at = (name) => side(this.table.places.find((place) => place.name === name)?.seat ?? 0, names.length);
    const yet = names.filter((name) => pile.cards.every((card) => card.by !== name));
    return el("div", { class: "cards trick", data: { players: names.length }, role: "group", "aria-label": pile.label }, pile.cards.map((card) =>
      el("div", { class: `at ${at(card.by)}` }, this.card(card, { noted: true }), el("span", { class: "by" }, card.by === this.table.viewer ? "you" : card.by ?? "", card.note ? el("em", {}, card.note) : null))),
    yet.map((name) => el("div", { class: `at yet ${at(name)}`, "aria-hidden": "true" }, el("span", { class: "card" }), el("span", { class: "by" }, name))));
  }

  piles(place, options = {}) {
    return (options.stays ? this.lastingPiles(place) : place.piles).filter((pile) => options.only?.(pile) ?? true).map((pile) => this.pile(pile, options));
  }

  facts(place) {
    const facts = place.facts.filter((fact) => fact.text !== "");
    return facts.length ? el("dl", { class: "facts" }, facts.map((fact) => el("div", {}, el("dt", {}, this.explained(fact.label, fact.words)), el("dd", {}, this.view.cards.text(fact.text))))) : null;
  }

  // Marks of a place without an owner: `hearts are broken`.
  marks(place) {
    return place.marks.length ? el("p", { class: "holds" }, place.marks.map((mark) => this.chip(place, mark))) : null;
  }

  chip(place, mark) {
    return el("span", { class: "chip" }, this.explained(mark, new Map(place.words ?? []).get(mark)));
  }

  // A name with the author's explanation, shown on hover and on tap. In a small window, a tap on another player opens
  // that player in full first.
  explained(name, words) {
    const tell = (event) => { if (!narrow() || !event.target.closest(".others")) this.view.details.words(name, words); };
    return words ? el("abbr", { title: words, onclick: tell }, name) : name;
  }

  // Number of cards that a player exchanged last in this deal.
  drew({ name }) {
    const count = this.view.playerNotes.drew[name];
    return count ? el("span", { class: "chip drew" }, `drew ${count}`) : null;
  }

  // The way to the points that end the match.
  race({ name }) {
    const part = this.view.playerNotes.race[name];
    return part === undefined ? null : el("div", { class: "race", role: "img", "aria-label": `${Math.round(part * 100)} % of the points that end the match`, vars: { "--part": part } });
  }

  // -------------------------------------------------------------- places
  // Whether another player's hand is meant to be read: all but its owner see it, or it is open while other hands are
  // closed. Hands that are known only because their cards were taken openly don't count. They come after face-up piles.
  // A match begins so, or many cards are laid open.
  isRead(place) {
    const { fullest: [start], readHands } = this.view;
    const begins = !start || start.places.some((each) => each.ref === place.ref && isOpen(start, each));
    const many = place.piles.some((pile) => pile.form === "hand" && pile.cards.length > 6);
    const read = isOpen(this.table, place) && (begins || many || readHands.has(place.ref));
    readHands[read ? "add" : "delete"](place.ref);
    return read;
  }

  name(place, you = false) {
    const { acting } = this;
    const text = you ? `${place.name} (you)` : place.name;
    const here = this.seat.seats.find((seat) => seat.name === place.name)?.here ?? true;
    const bot = this.seat.seats.find((seat) => seat.name === place.name && seat.kind !== "person");
    const chips = [...(place.partner ? ["partner"] : []), ...place.marks, ...(here ? [] : ["away"])];
    const shown = acting.touches(place.ref) || acting.held.includes(place.ref)
      ? button(text, () => acting.touch(place.ref), { class: `who open ${acting.held.includes(place.ref) ? "chosen" : ""}`, "data-key": place.ref, data: { ref: place.ref } })
      : el("strong", { class: "who" }, text);
    return el("h2", { class: "name" }, shown, chips.map((chip) => this.chip(place, chip)), bot ? el("span", { class: "chip bot" }, "bot") : null);
  }

  other(place) {
    const classes = ["place", place.asked ? "asked" : "", place.out ? "out" : "", this.lastingPiles(place).length > 1 ? "many" : "", this.lastingPiles(place).filter((pile) => pile.form === "hand").length > 1 ? "layered" : "", this.isRead(place) ? "read" : "",
      place.piles.some((pile) => pile.form === "hand" && pile.cards.length > 6) ? "broad" : ""];
    return el("section", { class: classes.filter(Boolean).join(" "), "aria-label": place.name, data: { ref: place.ref },
      onclick: (event) => narrow() && !event.target.closest("button") && this.view.sidePanel.show("players", place.ref) },
    this.name(place), this.facts(place), this.race(place), el("div", { class: "piles" }, this.piles(place, { stays: true }), this.drew(place)));
  }

  middle() {
    const { table } = this;
    return [this.kinds(table.kinds.filter(hasColumn), "columns"), this.kinds(table.kinds.filter((place) => !hasColumn(place)), ""),
      el("section", { class: "centre", "aria-label": "Middle of the table" }, el("div", { class: "status" }, this.facts(table.middle), this.marks(table.middle)),
      this.flank(this.lastingPiles(table.middle)))].filter(Boolean);
  }

  // Largest known number of cards in a pile.
  most(pile) {
    const same = this.view.fullest.flatMap((table) => table.middle.piles).filter((each) => each.ref === pile.ref);
    return Math.max(pile.cards.length, ...same.map((each) => each.cards.length));
  }

  // A single long row is in the middle of the other piles, because its length changes. A short one has fixed places.
  flank(piles) {
    const rows = piles.filter((pile) => pile.form === "row" && this.most(pile) > 1);
    if (rows.length !== 1 || piles.some((pile) => pile.form === "trick")) return el("div", { class: "piles" }, piles.map((pile) => this.pile(pile, { stays: true })));
    const at = piles.indexOf(rows[0]);
    const places = this.most(rows[0]) > PLACES ? 0 : PLACES;
    const drawn = piles.map((pile) => this.pile(pile, { stays: true, places: pile === rows[0] ? places : 0 }));
    return el("div", { class: "piles flanked" }, el("div", { class: "flank" }, drawn.slice(0, at)), drawn[at], el("div", { class: "flank" }, drawn.slice(at + 1)));
  }

  // Piles of a place, and empty ones for those that it had on other tables.
  lastingPiles({ ref = "", piles }) {
    const all = this.view.knownPiles[ref] ??= [];
    piles.forEach((pile, at) => {
      if (all.some((known) => known.ref === pile.ref)) return;
      const next = all.findIndex((known) => piles.slice(at + 1).some((later) => later.ref === known.ref));
      all.splice(next < 0 ? all.length : next, 0, { ...pile, cards: [] });
    });
    return all.map((empty) => piles.find((pile) => pile.ref === empty.ref) ?? empty);
  }

  kinds(places, shape) {
    if (!places.length) return null;
    const full = !shape && places.flatMap((place) => place.piles).filter((pile) => pile.form !== "stack").length > 2;
    const labels = new Set(places.flatMap((place) => place.piles.map((pile) => pile.label)));
    const shared = labels.size === 1 && places.length > 1 ? [...labels][0] : null;
    return el("div", { class: `kinds ${shape} ${shared ? "alike" : ""}` }, shared ? el("p", { class: "shared" }, capital(shared)) : null,
      places.map((place) => el("section", { class: `kind ${full ? "full" : ""}`, data: { part: `kind ${place.ref}` } }, el("h2", { class: "name" }, this.kindName(place)),
        this.facts(place), this.marks(place), el("div", { class: "piles" }, this.piles(place, { titled: Boolean(shared) })))));
  }

  kindName(place) {
    return this.acting.isTarget(place.ref) ? button(place.name, () => this.acting.touch(place.ref), { class: "who open", "data-key": place.ref }) : place.name;
  }

  mine(me) {
    const hand = this.lastingPiles(me).find((pile) => pile.form === "hand");
    const hands = (pile) => (!hand ? pile.form === "grid" : narrow() ? pile.form === "hand" : pile.ref === hand.ref);
    const asked = Boolean(this.table.ask);
    const worded = me.piles.some((pile) => pile.form === "hand" && pile.cards.some((card) => card.face !== null && this.view.cards.isRead(card.face)));
    const dim = asked && me.piles.filter(hands).some((pile) => pile.cards.some((card) => this.acting.isOpen(card.ref)));
    return el("section", { class: `mine ${asked ? "asked" : ""}`, "aria-label": "You" },
      el("div", { class: `line ${this.isSteady(this.table.ask) ? "steady" : ""}` }, el("div", { class: "own" }, el("div", { class: "about" }, this.name(me, true), this.facts(me), this.readings(), this.race(me)),
        el("div", { class: "piles" }, this.piles(me, { stays: !narrow(), only: (pile) => !hands(pile) }))), this.ask()),
      el("div", { class: `hands ${worded ? "worded" : ""}` }, me.piles.filter(hands).map((pile) => this.pile(pile, { dim, focus: asked && dim, stays: true, bare: me.piles.filter(hands).length < 2 }))));
  }

  readings() {
    const own = codesIn(this.table.places[0].piles);
    const said = (text) => this.view.cards.text(text, own);
    return this.table.readings.map((each) => el("p", { class: "reading" }, el("span", {}, `${each.label}: `), el("strong", {}, said(each.text)),
      each.detail ? el("span", { class: "quiet" }, " ", said(each.detail)) : null));
  }

  // -------------------------------------------------------------- question and options
  ask() {
    const { ask } = this.table;
    if (!ask) return el("div", { class: "ask quiet", role: "status" }, waiting(this.table));
    return el("div", { class: "ask" },
      el("p", { class: `question ${ask.question.length > LONG ? "long" : ""}` }, el("span", {}, this.question(ask))),
      this.stakes(ask), this.picks(), narrow() ? this.counsel() : null,
      this.isSteady(ask) ? this.slots(ask) : el("div", { class: "buttons" }, this.choosing(ask.choosing), this.buttons(), amounts(ask, this.acting), this.acting.held.length ? null : [this.closed(ask.closed), this.passOn(ask)]));
  }

  passOn(ask) {
    return ask.reacts_to === "others" ? button("Pass until it concerns you", () => this.acting.passOn(), { class: "quiet", "data-key": "pass on", title: "You are asked again on your own turn, or when an action names you." }) : null;
  }

  // Whether a fixed set of options recurs with changing availability, apart from those made by a click on a card.
  isSteady(ask) {
    return Boolean(ask?.options && !ask.choosing && !this.acting.held.length && (ask.closed || ask.amounts || this.shown().length < ask.actions?.length));
  }

  // Then each option has a fixed slot, available or not. Controls for a number go below.
  slots(ask) {
    const { acting } = this;
    const shown = this.shown();
    const homes = new Map(); // options whose labels begin alike share the slot of the first
    const home = (action) => {
      const key = action.verb_key || action.key, lead = lastWordOff(action.label);
      if (!homes.has(lead)) homes.set(lead, key);
      return lead.includes(" ") ? homes.get(lead) : key;
    };
    const keyed = (action) => ask.options.includes(home(action));
    const dials = [];
    const slot = (key) => {
      const numbers = (ask.amounts ?? []).filter((each) => each.key === key).map((each) => inParts(each, acting));
      dials.push(...numbers.filter(({ dial }) => dial).map(({ dial }) => el("span", { class: "amount" }, dial)));
      const made = [this.grouped(shown.filter((action) => home(action) === key)), numbers.map(({ whole, go }) => whole ?? go), this.closed((ask.closed ?? []).filter((each) => each.key === key))].flat();
      return made.length ? el("span", { class: "slot" }, made) : null;
    };
    const slots = ask.options.map(slot).filter(Boolean);
    return el("div", { class: "buttons" }, slots.length ? el("div", { class: "slots", vars: { "--slots": slots.length } }, slots) : null, dials, this.grouped(shown.filter((action) => !keyed(action))), this.passOn(ask));
  }

  counsel() {
    const { cards } = this.view;
    if (!this.hint || !this.table.ask) return null;
    const named = this.named(this.table.ask.actions ?? []);
    return el("p", { class: "hint" }, "Hint: ", this.hint.label ? [el("strong", {}, cards.text(this.hint.label, named)), ": "] : null,
      cards.text(this.hint.words, named), button("×", () => this.view.unhint(), { class: "shut", "aria-label": "Close hint", "data-key": "unhint" }));
  }

  // After a pick, the question asks for the rest of the move.
  question(ask) {
    const { cards, acting } = this.view;
    if (this.view.isDead) return "No move helps any more. Undo moves or give up.";
    if (!acting.held.length) return [cards.text(ask.question, this.named(ask.actions ?? [])), ask.words ? el("em", {}, ` ${ask.words}`) : null];
    const picked = capital(list(acting.held.map((ref) => this.view.called(ref))));
    const does = [...new Set(acting.actions().map((action) => (action.verb || action.label).toLowerCase()))];
    if (acting.actions().length === 1) return cards.text(`${acting.actions()[0].label}?`);
    return cards.text(does.length > 4 ? `What do you do with ${picked}?` : `${picked}: ${list(does, "or")}?`);
  }

  // Facts of the middle, such as the pot, matter for decisions about a number or by buttons alone.
  stakes(ask) {
    const drawn = new Set(this.cards().map((card) => card.ref));
    const byTouch = ask.choosing || (ask.actions ?? []).some((action) => (action.touches ?? []).some((ref) => drawn.has(ref)));
    return byTouch ? null : this.facts(this.table.middle);
  }

  choosing(choosing) {
    if (!choosing) return null;
    const { acting } = this;
    if (acting.isSingle(choosing)) return null;
    const chips = choosing.refs.map((ref, at) => choosing.labels[at] ? button(choosing.labels[at], () => acting.toggle(ref),
      { class: `value ${acting.isChosen(ref) ? "chosen" : ""}`, "aria-pressed": String(acting.isChosen(ref)), "data-key": ref,
        disabled: !acting.choosable(ref) && !acting.isChosen(ref) }) : null);
    return [chips, button(this.view.cards.text(choosing.confirm), () => acting.confirm(), { class: choosing.low || acting.chosen?.length ? "main" : "", "data-key": "confirm", "aria-disabled": String(!choosing.ready), title: choosing.why })];
  }

  // Moves with a card on the table are made by clicking it. All others have a button. If a ref is held, all its
  // remaining moves have one, except those to a column: a click there makes them.
  shown() {
    const { acting } = this;
    const drawn = new Set(this.cards().map((card) => card.ref));
    const columns = new Set(this.table.kinds.filter(hasColumn).map((place) => place.ref));
    return acting.actions().filter(({ touches = [] }) => !touches.some((ref) => acting.held.length ? columns.has(ref) && !acting.held.includes(ref) : drawn.has(ref)));
  }

  buttons() {
    const { acting } = this;
    const made = this.grouped(this.shown());
    if (acting.held.length) made.push(button("Cancel", () => { acting.held = []; acting.view.draw(); }, { "data-key": "put back" }));
    return made;
  }

  button(action, text) {
    return button(this.view.cards.text(text, this.named([action])), () => this.acting.make(action.move), { "data-key": `move ${action.text}`, "aria-label": action.label.replace(/[[\]]/g, ""),
      title: [action.words, action.key ? `Key ${action.key.toUpperCase()}` : ""].filter(Boolean).join(" · ") || null });
  }

  // Codes of the cards in some moves.
  named(actions) {
    const touched = new Set(actions.flatMap((action) => action.touches ?? []));
    const lying = this.cards().filter((card) => touched.has(card.ref)).map((card) => card.code);
    const said = actions.flatMap((action) => [...action.text.matchAll(/\[([^[\]]+)\]/g)]).flatMap((found) => found[1].split(" "));
    return new Set([...lying, ...said]);
  }

  // Moves whose labels differ only in the last word are grouped after their common part: many always, a few only if
  // that part is long. So they look alike from turn to turn, regardless of their number.
  grouped(actions) {
    const most = actions.length > 6 ? 0 : narrow() ? Infinity : 2; // maximum number of common words repeated in each label
    const groups = new Map();
    for (const action of actions) {
      const lead = lastWordOff(action.label);
      groups.set(lead, [...(groups.get(lead) ?? []), action]);
    }
    return [...groups].map(([lead, group]) => group.length < 2 || !lead || lead.split(" ").length <= most ? group.map((action) => this.button(action, action.label)) : this.group(lead, group));
  }

  // In a small window, one group is expanded at a time.
  group(lead, group) {
    const { acting } = this;
    const open = !narrow() || acting.group === lead;
    const head = narrow() ? button(`${lead} …`, () => { acting.group = open ? null : lead; acting.view.draw(); }, { class: "lead", "aria-expanded": String(open), "data-key": `group ${lead}` })
      : el("span", { class: "lead" }, lead);
    return el("span", { class: `group ${open ? "" : "shut"}` }, head, open ? group.map((action) => this.button(action, action.label.slice(lead.length + 1))) : null);
  }

  // A card to click shows by itself that it cannot be played.
  closed(closed = []) {
    return closed.filter((each) => !each.by_card).map((each) => button(each.label, () => acting_told(each), { class: "closed", "aria-disabled": "true", title: each.why }));
  }

  cards() {
    const { places, middle, kinds } = this.table;
    return [...places, middle, ...kinds].flatMap((place) => place.piles.flatMap((pile) => pile.cards));
  }
}

import { toast } from "./dom.js";
const acting_told = (each) => toast(each.why);

const LONG = 100; // characters of a question that would take more than two lines of a small window

const known = (pile) => pile.cards.filter((card) => card.face !== null).length * 2 > pile.cards.length;

function isOpen({ viewer, places }, place) {
  const hands = place.piles.filter((pile) => pile.form === "hand");
  const unseen = new Set(viewer ? places[0].piles.filter((pile) => pile.cards.length && !known(pile)).map((pile) => pile.name) : []);
  const closed = places.some((each) => each.seat && each.piles.some((pile) => pile.form === "hand" && pile.cards.length && !known(pile)));
  return hands.length > 0 && hands.every(known) && (closed || hands.some((pile) => unseen.has(pile.name)));
}

const cell = ({ cells, across }, at) => cells?.length ? { "grid-area": `${Math.floor(cells[at] / across) + 1} / ${cells[at] % across + 1}` } : {};
const liesOpen = (pile) => ["row", "fan", "grid"].includes(pile.form) && pile.cards.some((card) => card.up);

// Side of the table for a seat: the viewer below, the others clockwise from the viewer's left.
export function side(seat, players) {
  if (seat === 0) return "below";
  const others = players - 1;
  if (others === 1) return "above";
  if (others === 2) return seat === 1 ? "left" : "right";
  if (seat === 1) return "left";
  if (seat === others) return "right";
  return "above";
}
