// Playtest statistics by version of each game, compared with random playouts.

import { button, el, fill, plural } from "./dom.js";

export class PlaytestPage {
  constructor(page, told, back) {
    fill(page, el("header", { class: "top" }, el("h1", {}, "Playtests"), button("Back", back)),
      told.games.length ? told.games.map(game) : el("p", { class: "quiet" }, "No matches yet."));
    page.querySelector("button").focus();
  }
}

const seconds = (value) => value === null ? "–" : `${value.toFixed(1)} s`;
const mark = (value) => value === null ? "–" : value.toFixed(1);

function game(told) {
  return el("section", { class: "card-box wide" }, el("h2", {}, told.title), told.versions.map(version));
}

function version(told) {
  const rows = [["Matches", `${told.matches}, ${told.ended} finished`],
    ["Decisions per match", told.decisions === null ? "–" : told.decisions.toFixed(1)],
    ["Time per decision (people, median)", seconds(told.thought)],
    ["Undone moves, fixes by the host", `${told.undone}, ${told.allowed.length}`],
    ["Fun, clear, play again (of 5)", `${mark(told.fun)}, ${mark(told.clear)}, ${mark(told.again)} (${plural(told.answers, "answer")})`],
    ["Bots", told.bots ?? "–"]];
  return [el("h3", {}, `Version ${told.version}, since ${new Date(told.began * 1000).toLocaleString()}`),
    el("table", {}, el("tbody", {}, rows.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value))))),
    told.slow.length ? el("div", {}, el("h4", {}, "Slowest decisions"), el("ul", {}, told.slow.map((each) =>
      el("li", {}, `line ${each.rule}: ${seconds(each.thought)} (${plural(each.count, "time")}) `, el("code", {}, each.text))))) : null,
    told.odd.length ? el("div", {}, el("h4", {}, "Reports"), el("ul", {}, told.odd.map((each) =>
      el("li", {}, `${each.who || "a spectator"}, match ${each.match} after line ${each.at}: ${each.word || "(no note)"}`)))) : null,
    told.allowed.length ? el("div", {}, el("h4", {}, "Fixes by the host"), el("ul", {}, told.allowed.map((each) =>
      el("li", {}, `match ${each.match}: ${each.text}`)))) : null];
}
