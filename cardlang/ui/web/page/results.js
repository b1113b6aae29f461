// Results: a showdown, the scores of a deal, the end. They cover the middle of the table until the viewer continues,
// and can be reopened. Tricks are not included: they are visible on the table.

import { button, el, fill } from "./dom.js";
import { getLastEventPosition } from "./event_log.js";

export const large = (moment) => moment.kind !== "trick" && (moment.kind !== "result" || Boolean(moment.rows?.length || moment.hands?.length));

// The last trick, until the deal ends.
export function getLastTrick({ moments }) {
  const last = moments.findLast((each) => each.kind === "trick" || large(each));
  return last?.kind === "trick" ? last : null;
}

// Whether the headline of a trick only lists its cards.
export const listsCards = ({ headline, hands }) => headline.split("[").length > Math.max(2, ...hands.map((pile) => pile.cards.length));

export const named = (moment) => JSON.stringify([moment.kind, moment.headline, moment.rows, moment.lines]);

const isOut = ({ viewer, places }) => Boolean(viewer && places[0].out);

export class ResultView {
  constructor(view) {
    this.view = view;
    this.past = null; // results that the viewer has closed
    this.told = 0;    // number of choices of the match at that time
    this.box = el("section", { class: "results", "aria-label": "Results", hidden: true });
  }

  // Handles a new table. Results already there on arrival count as read.
  see(table) {
    if (this.past === null) this.told = getLastEventPosition(table);
    if (!isOut(table)) this.watches = false;
    if (this.past === null || !table.moments.some(large)) this.past = new Set(table.over ? [] : table.moments.map(named));
  }

  // The table with the results to read: the first in the queue, else the current one. The end takes precedence.
  get table() {
    const { table, held } = this.view;
    return table.over && this.unread(table).length ? table : held.first ?? table;
  }

  get fresh() { return this.unread(this.table); }

  unread(table) { return this.watches && !table.over ? [] : table.moments.filter((moment) => large(moment) && !this.past?.has(named(moment))); }

  hasNew(table) { return this.past !== null && this.unread(table).length > 0; }

  // Closes the open results, if any.
  go() {
    if (!this.pass()) return false;
    this.view.held.release();
    this.view.draw();
    return true;
  }

  // Shows the next part of the results, or closes them.
  next() {
    if (this.part >= this.last) return this.go();
    this.part += 1;
    this.view.draw();
    return true;
  }

  pass() {
    const any = this.fresh.length > 0 || this.view.held.any;
    if (any) {
      this.past = new Set(this.table.moments.map(named));
      this.watches = isOut(this.table); // from now on, results don't wait
      this.told = this.view.held.told;
    }
    return any;
  }

  // Marks all results of the next table as read.
  forget() { this.past = null; }

  again() {
    this.past = new Set();
    this.view.draw();
  }

  draw(draw) {
    const { fresh } = this;
    this.box.hidden = !fresh.length;
    if (!fresh.length) return this.box;
    const said = this.table.moments.filter((moment) => moment.kind === "result" && !large(moment) && !this.past.has(named(moment)));
    const trick = this.table.moments.filter((moment) => moment.kind === "trick" && !this.past.has(named(moment)) && !this.isOnTable(moment));
    // Scores go above the last trick.
    const order = ["end", "showdown", ...(trick.length ? ["scores", "trick", "result"] : ["result", "scores"])];
    const shown = [...said, ...trick, ...fresh].sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
    const came = this.came(shown);
    const parts = this.table.over ? [] : shown.flatMap((moment) => split(moment.lines, this.table.places));
    if (this.shown !== shown.map(named).join()) [this.shown, this.part] = [shown.map(named).join(), 0];
    this.last = Math.max(0, parts.length - 1);
    if (parts.length) return this.drawPart(draw, shown, parts[this.part], this.part ? [] : came);
    const laid = shown.some((moment) => moment.kind === "showdown" && moment.hands?.length);
    const { over } = this.table;
    this.box.classList.toggle("over", over);
    fill(this.box, this.lead(came),
      el("div", { class: "shown" }, shown.map((moment) => this.moment(draw, moment, moment.kind !== "end" || !laid))),
      el("div", { class: "foot" }, over ? this.view.ended() : isOut(this.table) ? this.view.home() : null,
        button(over ? "View table" : isOut(this.table) ? "Watch" : "Continue", () => this.go(), { class: over ? "" : "main", "data-key": "go on" })));
    return this.box;
  }

  lead(came) {
    return came.length ? el("ul", { class: "came", "aria-label": "What led to it" }, came.map((line) => el("li", {}, this.view.cards.text(line.text)))) : null;
  }

  // One part of a long explanation, with its cards as pictures. The figures come with the last part.
  drawPart(draw, shown, [first, ...lines], came) {
    const { cards } = this.view;
    const figures = this.part < this.last ? [] : shown.filter((moment) => moment.kind === "scores");
    this.box.classList.remove("over");
    fill(this.box, this.lead(came), el("article", { class: "moment" }, el("h3", { class: "drawn" }, cards.spread(first)), lines.map((line) => el("p", {}, cards.text(line)))),
      figures.map((moment) => this.moment(draw, moment, true)),
      el("div", { class: "foot" }, el("span", { class: "quiet" }, `${this.part + 1} of ${this.last + 1}`), button("Continue", () => this.next(), { class: "main", "data-key": "go on" })));
    return this.box;
  }

  // Whether the table behind the results shows a whole trick.
  isOnTable({ hands }) {
    const codes = codesIn(this.view.table.middle.piles.filter((pile) => pile.form === "trick"));
    return [...codesIn(hands)].every((code) => codes.has(code));
  }

  // Shrinks hands if the results would need scrolling. Small results cover only the viewer's area.
  fit() {
    this.box.classList.remove("close");
    this.box.classList.toggle("close", this.box.scrollHeight > this.box.clientHeight + 1);
    this.box.classList.toggle("low", this.box.offsetHeight < (this.box.parentNode.querySelector(".dock")?.offsetHeight ?? 0));
  }

  // Last actions before the result, after the previous one.
  came(shown) {
    const { since } = this.table;
    const told = new Set(shown.map((moment) => moment.headline));
    const said = since.findLastIndex((line) => told.has(line.text));
    const anew = since.findLastIndex((line) => line.anew);
    const end = said >= 0 ? said : anew > 0 ? anew : since.length;
    return since.slice(0, end).filter((line) => (line.at ?? 0) > this.told && line.who && ["chose", "moved"].includes(line.kind)).slice(-5);
  }

  // Next to the table, a trick is a line. In a result, it is laid out as played, because it was never visible on the
  // table.
  moment(draw, moment, hands, beside = false) {
    const { cards } = this.view;
    const trick = moment.kind === "trick";
    const why = trick ? null : (moment.lines ?? []).map((line) => el("p", {}, cards.text(line)));
    const table = moment.rows?.length ? rows(moment) : null;
    return el("article", { class: `moment ${moment.kind}` }, el("h3", {}, cards.text(moment.headline, codesIn(moment.hands))),
      moment.kind === "end" ? [table, why] : [why, table],
      hands ? (moment.hands ?? []).map((pile) => el("div", { class: "laid" }, trick ? null : el("span", { class: "whose" }, pile.owner ?? pile.label),
        trick ? (beside ? (listsCards(moment) ? null : draw.played(pile)) : draw.trick(pile)) : draw.body({ ...pile, form: "row" }, {}))) : null);
  }

  // Results that stay next to the table: the last trick after it has left the table, and a button to reopen each large
  // result. Results without cards or numbers are events.
  beside(draw) {
    const last = getLastTrick(this.view.table);
    const tricks = last && (this.view.table.ask || !draw.lastTrick()) ? [last] : [];
    const had = this.view.table.moments.filter((moment) => large(moment) && this.past.has(named(moment)));
    if (!tricks.length && !had.length) return null;
    return el("section", { class: "moments", "aria-label": "Last results" },
      had.length ? el("div", { class: "moment had" }, had.map((moment) => button(moment.headline, () => this.again(), { "data-key": `had ${moment.kind}` }))) : null,
      tricks.map((moment) => this.moment(draw, moment, true, true)));
  }
}

// Codes of the cards in some piles.
export const codesIn = (piles = []) => new Set(piles.flatMap((pile) => pile.cards.map((card) => card.code)));

// Parts of a long explanation. Each begins with a sentence about a player and cards, and at least two have more lines.
function split(lines = [], places) {
  const parts = [];
  for (const line of lines) {
    const begins = line.includes("[") && ["You", ...places.map((place) => place.name)].some((name) => line.startsWith(`${name} `));
    if (begins || !parts.length) parts.push([line]);
    else parts.at(-1).push(line);
  }
  return parts.filter((part) => part.length > 1).length > 1 ? parts : [];
}

function rows(moment) {
  return el("table", {}, moment.columns?.length ? el("thead", {}, el("tr", {}, moment.columns.map((each) => el("th", { scope: "col" }, each)))) : null,
    el("tbody", {}, moment.rows.map((row) => el("tr", {}, row.map((cell, at) => el(at ? "td" : "th", at ? {} : { scope: "row" }, cell))))));
}
