// Results as moments: a showdown, the scores of a deal, the end. They lie over the middle of the table until one goes on,
// and can be had back. Tricks are not among them: those are seen where they were played.

import { button, el, fill } from "./dom.js";

const large = (moment) => moment.kind !== "trick" && (moment.kind !== "result" || Boolean(moment.rows?.length || moment.hands?.length));
const named = (moment) => JSON.stringify([moment.kind, moment.headline, moment.rows, moment.lines]);

export class Results {
  constructor(place) {
    this.place = place;
    this.past = null; // those the viewer has gone on from
    this.box = el("section", { class: "results", "aria-label": "Results", hidden: true });
  }

  // A table has come. What somebody finds there who comes in the middle is past.
  see(table) {
    const now = table.moments.filter(large).map(named);
    if (this.past === null || !now.length) this.past = new Set(table.over ? [] : now);
  }

  get fresh() {
    const { moments } = this.place.table;
    return moments.filter((moment) => large(moment) && !this.past.has(named(moment)));
  }

  // Whether something lies over the table that was not there before.
  go() {
    if (!this.fresh.length) return false;
    this.past = new Set(this.place.table.moments.filter(large).map(named));
    this.place.draw();
    return true;
  }

  again() {
    this.past = new Set();
    this.place.draw();
  }

  draw(draw) {
    const { fresh } = this;
    this.box.hidden = !fresh.length;
    if (!fresh.length) return this.box;
    const order = ["end", "showdown", "result", "scores"];
    const shown = [...fresh].sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
    const laid = shown.some((moment) => moment.kind === "showdown" && moment.hands?.length);
    const over = this.place.table.over;
    this.box.classList.toggle("over", over);
    fill(this.box, el("div", { class: "shown" }, shown.map((moment) => this.moment(draw, moment, moment.kind !== "end" || !laid))),
      el("div", { class: "foot" }, over ? this.place.ended() : null,
        button(over ? "Look at the table" : "Go on", () => this.go(), { class: over ? "" : "main", "data-key": "go on" })));
    return this.box;
  }

  moment(draw, moment, hands) {
    const { cards } = this.place;
    const trick = moment.kind === "trick";
    return el("article", { class: `moment ${moment.kind}` }, el("h3", {}, cards.text(moment.headline, codesIn(moment.hands))),
      trick ? null : (moment.lines ?? []).map((line) => el("p", {}, cards.text(line))),
      moment.rows?.length ? rows(moment) : null,
      hands ? (moment.hands ?? []).map((pile) => el("div", { class: "laid" }, trick ? null : el("span", { class: "whose" }, pile.owner ?? pile.label),
        trick ? draw.played(pile) : draw.body({ ...pile, form: "row" }, {}))) : null);
  }

  // What stays to be read beside the table: the last trick, and the other results in a line each, to be had back.
  beside(draw) {
    const small = this.place.table.moments.filter((moment) => !large(moment)).slice(-2);
    const had = this.place.table.moments.filter((moment) => large(moment) && this.past.has(named(moment)));
    if (!small.length && !had.length) return null;
    return el("section", { class: "moments", "aria-label": "Last results" },
      had.length ? el("div", { class: "moment had" }, had.map((moment) => button(moment.headline, () => this.again(), { "data-key": `had ${moment.kind}` }))) : null,
      small.map((moment) => this.moment(draw, moment, true)));
  }
}

// The codes of the cards in some piles.
export const codesIn = (piles = []) => new Set(piles.flatMap((pile) => pile.cards.map((card) => card.code)));

function rows(moment) {
  return el("table", {}, moment.columns?.length ? el("thead", {}, el("tr", {}, moment.columns.map((each) => el("th", { scope: "col" }, each)))) : null,
    el("tbody", {}, moment.rows.map((row) => el("tr", {}, row.map((cell, at) => el(at ? "td" : "th", at ? {} : { scope: "row" }, cell))))));
}
