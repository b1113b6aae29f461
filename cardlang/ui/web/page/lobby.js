// Lobby: choose a game, fill its seats, send links, resume tables.

import { button, el, fill, toast } from "./dom.js";
import { recall, remember } from "./preferences.js";
import { PlaytestPage } from "./playtest_page.js";

const NAMES = ["Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Joe", "Kim", "Lou"];

// Names of the games opened last in this browser, newest first.
const listPlayed = () => JSON.parse(recall("played") || "[]");

export class Lobby {
  constructor(page, connection) {
    this.page = page;
    this.connection = connection;
    this.game = null;
    this.awaited = null; // chosen game, until the server has loaded it
    this.search = "";
    document.body.className = "plain";
    document.title = "cardlang";
    sessionStorage.setItem("house", connection.secret); // for the link back; only in this window
  }

  hear(message) {
    if (message.is === "house") {
      this.told = message;
      this.draw();
      if (message.games.length === 1 && !this.game) this.choose(message.games[0]);
    } else if (message.is === "game") {
      if (this.awaited && this.awaited.name !== message.name) return;
      this.game = message;
      this.awaited = null;
      [this.seats, this.variant, this.asks] = [null, "", false];
      this.draw();
      document.getElementById("lay")?.focus();
    } else if (message.is === "opened") {
      location.hash = `#table/${message.host}`;
    } else if (message.is === "playtests") {
      this.playtests = new PlaytestPage(this.page, message, () => { this.playtests = null; this.draw(); });
    }
  }

  async ask(data) {
    const why = await this.connection.send(data);
    if (why) toast(why);
  }

  draw() {
    if (this.playtests) return;
    fill(this.page,
      el("header", { class: "top" }, el("h1", {}, "cardlang"),
        button("Playtests", () => this.ask({ do: "playtests" }))),
      el("div", { class: `house ${this.awaited ?? this.game ? "" : "choosing"}` },
        el("section", { class: "card-box" }, el("h2", {}, this.told.games.length > 1 ? "Choose a game" : "Game"), this.games()),
        el("div", { class: "column" }, this.awaited ? this.coming() : this.game ? this.laying() : null, this.tables())));
    const [list, chosen] = [".games", ".games [aria-pressed=true]"].map((which) => this.page.querySelector(which));
    if (chosen) list.scrollTop = chosen.offsetTop - list.offsetTop - (list.clientHeight - chosen.offsetHeight) / 2;
  }

  // The first load of a game takes a moment, so the click gets immediate feedback.
  async choose(game) {
    if (this.awaited?.name === game.name) return;
    this.awaited = game;
    this.draw();
    const why = await this.connection.send({ do: "game", name: game.name });
    if (why) {
      toast(why);
      this.awaited = null;
      this.draw();
    }
  }

  coming() {
    return el("section", { class: "card-box", id: "lay", tabindex: "-1" }, el("h2", {}, this.awaited.title),
      el("p", { class: "quiet", role: "status" }, "Loading the rules …"));
  }

  games() {
    const list = el("ul", { class: "games" });
    const played = listPlayed().filter((name) => this.told.games.some((game) => game.name === name));
    const recent = (game) => (played.indexOf(game.name) + 1 || played.length + 1);
    const show = () => fill(list, [...this.told.games].sort((one, other) => recent(one) - recent(other))
      .filter((game) => game.title.toLowerCase().includes(this.search.toLowerCase()))
      .map((game) => el("li", {}, button([game.title, game.line ? el("small", {}, game.line) : null], () => this.choose(game),
        { "aria-label": game.title, "aria-pressed": String((this.awaited ?? this.game)?.name === game.name) }))));
    show();
    if (this.told.games.length < 10) return list;
    const field = el("input", { type: "search", placeholder: "Find …", "aria-label": "Find a game", value: this.search,
      oninput: (event) => { this.search = event.target.value; show(); } });
    return [field, list];
  }

  laying() {
    const game = this.game;
    const said = game.doc || this.told.games.find((each) => each.name === game.name)?.line;
    const least = game.seats.find((count) => count > 1) ?? game.seats[0];
    const name = recall("name");
    this.seats ??= [...(name ? [name] : []), ...NAMES.filter((each) => each !== name)].slice(0, least).map((name, at) => ({ name, kind: at ? this.told.bots[0].kind : "host" }));
    const seats = el("ol", { class: "seats" }, this.seats.map((seat, at) => this.seat(seat, at)));
    const size = el("select", { "aria-label": "Number of players", onchange: (event) => this.resize(Number(event.target.value)) },
      game.seats.map((count) => el("option", { value: count, selected: count === this.seats.length }, `${count}`)));
    const variants = el("select", { id: "variant", onchange: (event) => { this.variant = event.target.value; } }, el("option", { value: "" }, "standard rules"),
      game.variants.map((each) => el("option", { value: each.title, selected: each.title === this.variant }, each.title)));
    return el("section", { class: "card-box", id: "lay", tabindex: "-1" },
      el("h2", {}, game.title), said && el("p", { class: "quiet" }, said),
      game.variants.length ? el("label", { class: "row" }, "Variant ", variants) : null,
      el("label", { class: "row" }, "Players ", size),
      seats,
      el("details", {}, el("summary", {}, "About the bots"), el("ul", {}, this.told.bots.map((bot) => el("li", {}, `${bot.label}: ${bot.words}`)))),
      el("label", { class: "row tick" }, el("input", { type: "checkbox", id: "asks", checked: this.asks, onchange: (event) => { this.asks = event.target.checked; } }),
        "Playtest: ask three questions at the end"),
      button("Start game", () => this.open(), { class: "main" }));
  }

  seat(seat, at) {
    const kinds = [["host", "you"], ["person", "a friend"], ...this.told.bots.map((bot) => [bot.kind, bot.label])];
    return el("li", {},
      el("input", { value: seat.name, maxlength: 24, "aria-label": `Name of player ${at + 1}`,
        oninput: (event) => { seat.name = event.target.value; } }),
      el("select", { "aria-label": `Who plays as ${seat.name}`, onchange: (event) => this.take(seat, event.target.value) },
        kinds.map(([kind, label]) => el("option", { value: kind, selected: kind === seat.kind }, label))));
  }

  take(seat, kind) {
    if (kind === "host") for (const other of this.seats) if (other.kind === "host") other.kind = "person";
    seat.kind = kind;
    this.draw();
  }

  resize(count) {
    const free = NAMES.filter((name) => !this.seats.some((seat) => seat.name === name));
    while (this.seats.length < count) this.seats.push({ name: free.shift() ?? `Player ${this.seats.length + 1}`, kind: this.told.bots[0].kind });
    this.seats.length = count;
    this.draw();
  }

  open() {
    const host = this.seats.findIndex((seat) => seat.kind === "host");
    if (host >= 0) remember("name", this.seats[host].name.trim());
    remember("played", JSON.stringify([this.game.name, ...listPlayed().filter((name) => name !== this.game.name)].slice(0, 5)));
    this.ask({
      do: "open", name: this.game.name, variant: document.getElementById("variant")?.value ?? "",
      asks: document.getElementById("asks").checked,
      host,
      seats: this.seats.map((seat) => ({ name: seat.name, kind: seat.kind === "host" ? "person" : seat.kind })),
    });
  }

  tables() {
    return [["Resume", (table) => !table.over], ["Finished", (table) => table.over]].map(([title, which]) => this.listed(title, this.told.tables.filter(which)));
  }

  listed(title, tables) {
    if (!tables.length) return null;
    return el("section", { class: "card-box" }, el("h2", {}, title), el("ul", { class: "tables" },
      tables.map((table) => el("li", {},
        el("a", { href: `#table/${table.host}` }, `${table.title}: ${table.seats}`),
        button("Close", () => confirm("Close this table? Its links will stop working.")
          && this.ask({ do: "close", table: table.number }))))));
  }
}
