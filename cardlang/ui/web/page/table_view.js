// Table view of one seat: top bar, table, side panel, questions.

import { button, cheer, copied, el, fill, say, toast } from "./dom.js";
import { TableInput } from "./table_input.js";
import { SidePanel } from "./side_panel.js";
import { Chat } from "./chat.js";
import { CardFaces } from "./card_faces.js";
import { CardMotion } from "./card_motion.js";
import { recall, remember } from "./preferences.js";
import { playChange } from "./sounds.js";
import { RevealQueue } from "./reveal_queue.js";
import { ResultQueue } from "./result_queue.js";
import { HostTools } from "./host_tools.js";
import { CardDetails } from "./card_details.js";
import { getLastTrick, ResultView } from "./results.js";
import { getLastEventPosition, EventLog } from "./event_log.js";
import { narrow } from "./layout_fit.js";
import { drawTable } from "./table_renderer.js";

const SWEEP = 2500; // milliseconds until a finished trick is swept away before a move of the viewer

export class TableView {
  constructor(page, connection) {
    this.page = page;
    this.connection = connection;
    this.acting = new TableInput(this);
    this.sidePanel = new SidePanel(this);
    this.host = new HostTools(this);
    this.chat = new Chat(this);
    this.cards = new CardFaces(() => this.draw());
    this.details = new CardDetails(this);
    this.results = new ResultView(this);
    this.held = new ResultQueue(this);
    this.reveals = new RevealQueue(this);
    this.eventLog = new EventLog(this);
    document.addEventListener("keydown", (event) => this.key(event));
    this.bar = el("header", { class: "bar" });
    this.felt = el("div", { class: "felt", tabindex: "-1", onclick: () => this.reveals.any && this.reveals.next() });
    this.notes = el("div", { class: "notes" });
    this.motion = new CardMotion(this.felt);
    this.fullest = null; // tables that show how much room the game needs
    this.knownPiles = {}; // piles that each place had on any table
    this.readHands = new Set(); // players whose hand is read
    new ResizeObserver(() => this.table && this.draw()).observe(this.felt);
    document.body.className = "playing";
    fill(page, this.bar, this.notes, el("div", { class: "board" }, this.felt, this.sidePanel.panel));
  }

  hear(message) {
    if (message.is === "seat") {
      this.seat = message;
      this.cards.of(message.art);
      this.sidePanel.fetch(); // so that it opens at once
      this.reserve(message);
    } else if (message.is === "table") this.arrive(message);
    else if (message.is === "chat") this.chat.hear(message.lines);
    else if (message.is === "log") return this.sidePanel.log(message.lines);
    else if (message.is === "why") return this.details.told(message.why) || toast(message.why, this.cards.text(message.why));
    else if (message.is === "hint") this.hinted(message);
    else if (message.is === "sure") return this.sure(message);
    else if (message.is === "back") return this.back(message);
    else return;
    this.draw();
  }

  // Fetches the fullest tables once, and names their players as here. Without them, the layout adapts to the match.
  async reserve({ art, seats, begun, you }) {
    if (this.fullest || this.reserving || !begun) return;
    this.reserving = true;
    const mine = seats.findIndex((seat) => seat.name === you);
    const answer = await fetch(`/fullest/${art}/${seats.length}`).catch(() => null);
    const name = (number) => JSON.stringify(seats[(Math.max(0, mine) + number - 1) % seats.length].name).slice(1, -1);
    this.fullest = answer?.ok ? JSON.parse((await answer.text()).replace(/Player (\d+)/g, (_, number) => name(Number(number)))) : [];
    this.draw();
  }

  // Handles a new table. While a result is read, the earlier table stays, without any actions.
  arrive(message) {
    const isNew = this.table && this.at !== message.at;
    this.at = message.at;
    if (this.backs !== message.back) {
      this.held.clear();
      this.reveals.clear();
    } else if (!this.held.any && !this.results.fresh.length && this.reveals.keeps(message, isNew)) return;
    this.settle(message);
  }

  settle(message) {
    this.passing = Boolean(message.passing);
    if (this.backs === message.back && this.held.keeps(message)) this.hold();
    else this.show(message);
  }

  hold() {
    this.table = { ...this.table, ask: null, waiting: null, places: this.table.places.map((place) => ({ ...place, piles: place.piles.map((pile) => this.leave(pile)) })) };
    this.acting.clear();
    this.sayResult(this.held.first);
  }

  // The viewer's hand without the cards just played.
  leave(pile) {
    if (pile.form !== "hand" || pile.owner !== this.table.viewer) return pile;
    return { ...pile, cards: pile.cards.filter((card) => !this.acting.played.has(card.ref)) };
  }

  show(message) {
    const before = this.table;
    if (this.backs !== message.back) this.results.forget(); // results already read are not shown again
    this.backs = message.back;
    this.table = message.table;
    this.mine = message.mine;
    this.canUndo = message.undo;
    this.isDead = message.dead;
    this.playerNotes = message.notes;
    if (this.drawnAt !== message.at) this.acting.clear();
    this.drawnAt = message.at;
    this.step = message.step;
    this.acting.settle(message.table);
    this.results.see(message.table);
    this.announce(before, message.table);
    playChange(before, message.table);
    if (this.results.box.hidden) this.acting.goOnPassing(message.at);
    clearTimeout(this.sweeping);
    this.isSwept = this.isSwept && JSON.stringify(getLastTrick(before)) === JSON.stringify(getLastTrick(message.table));
    if (message.table.ask) this.sweeping = setTimeout(() => this.sweep(), this.isSwept ? 0 : SWEEP);
  }

  sweep() {
    this.isSwept = true;
    this.felt.querySelector(".last")?.classList.add("swept");
  }

  // Shows all later results before the confirmation of an undo.
  undo() {
    while (this.held.any) this.results.go();
    this.send({ do: "undo" });
  }

  // Asks for confirmation of an undo past a result.
  sure({ at, what, result }) {
    const { cards } = this;
    this.details.ask([el("h2", {}, "Undo everything since then?"), what ? el("p", {}, cards.text(what)) : null,
      result ? el("p", {}, "This also undoes a result: ", cards.text(result)) : null], "Undo", () => this.send({ do: "undo", sure: true, at }), "Cancel");
  }

  canGiveUp() { return Boolean(this.seat.you && this.seat.seats.length === 1 && this.table?.ask); }

  giveUp() {
    this.details.ask([el("h2", {}, "Give up?"), el("p", {}, "The match ends here.")], "Give up", () => this.send({ do: "give up" }), "Cancel");
  }

  back({ who, what }) {
    const said = who === this.seat.you ? `Undone: ${what || "your last move."}` : `${who} undid their last move.`;
    toast(said, this.cards.text(said));
  }

  // Announces the newest result to screen readers, unless a line did.
  sayResult(table, lines = []) {
    const newest = table.moments.at(-1)?.headline;
    if (newest && newest !== this.said && !lines.includes(newest)) say(newest);
    this.said = newest;
  }

  // Announces new events and the question to screen readers.
  announce(before, now) {
    const known = before && !(before.over && !now.over) ? getLastEventPosition(before) : -1;
    const lines = now.since.filter((line) => (line.at ?? 0) > known).map((line) => line.text);
    for (const line of lines) say(line);
    if (before) for (const line of lines) cheer(line, this.felt.querySelector(".middle"));
    this.sayResult(now, lines);
    const asked = now.ask?.question;
    if (asked && asked !== before?.ask?.question) say(asked);
    document.title = `${asked ? "Your turn · " : ""}${now.game}`;
  }

  async send(data) {
    const answer = this.connection.send({ at: this.at, ...data });
    this.felt.toggleAttribute("aria-busy", true);
    const why = await answer;
    this.felt.toggleAttribute("aria-busy", this.connection.open.size > 0);
    if (why) toast(why);
    return why;
  }

  why(ref) {
    if (this.table?.ask) this.send({ do: "why", move: ref });
  }

  // Name of a selectable card or value within a sentence.
  called(ref) {
    const { places, middle, kinds } = this.table;
    const card = [middle, ...places, ...kinds].flatMap((each) => each.piles).flatMap((each) => each.cards).find((each) => each.ref === ref);
    if (card) return card.code ? `[${card.code}]` : `card ${ref.split("#")[1]}`;
    return ref.slice(ref.lastIndexOf("/") + 1);
  }

  // Clicking an unplayable card of the viewer, or tapping any, shows the reason. Tapping one with text enlarges it.
  refuse(ref) {
    const { places, middle, kinds, viewer, ask } = this.table;
    const pile = [middle, ...places, ...kinds].flatMap((each) => each.piles).find((each) => each.cards.some((card) => card.ref === ref));
    const card = pile?.cards.find((each) => each.ref === ref);
    const answers = pile && (this.details.finger || (pile.owner === viewer && pile.form !== "stack"));
    if (!ask || !answers || this.details.isRead(card)) return this.closer(ref);
    this.why(ref);
  }

  // Details of a card, or of the whole pile under it.
  closer(ref) {
    const { places, middle, kinds } = this.table;
    const pile = [middle, ...places, ...kinds].flatMap((each) => each.piles).find((each) => each.cards.some((card) => card.ref === ref));
    const card = pile?.cards.find((each) => each.ref === ref);
    if (!card) return;
    const seen = pile.cards.filter((each) => each.face !== null);
    if (pile.form === "stack" && seen.length > 1 && card === pile.cards.at(-1)) {
      return this.details.pile(pile, seen.map((each) => this.pictured(each)).reverse());
    }
    const asked = this.table.ask && !this.acting.isOpen(ref) && pile.owner && pile.owner === this.table.viewer;
    this.details.card(card, asked);
  }

  pictured(card) {
    return el("button", { type: "button", class: "card", "aria-label": card.title, title: card.title, onclick: () => this.details.card(card) },
      el("img", { src: this.cards.picture(card), alt: "" }));
  }

  async counsel() {
    if (!this.table?.ask) return toast("It is not your turn.");
    this.hint = { at: this.at, words: "Thinking …" };
    this.draw();
    if (await this.send({ do: "hint" })) { this.hint = null; this.draw(); }
  }

  unhint() {
    this.hint = null;
    this.draw();
  }

  // Shows a hint with the label that the move has on the table.
  hinted(message) {
    const { actions = [], amounts = [] } = this.table.ask ?? {};
    const action = actions.find((each) => each.move === message.move);
    const amount = amounts.find((each) => each.moves.includes(message.move));
    const label = message.refs.length ? message.text : action?.label ?? (amount && `${amount.label} ${amount.amounts[amount.moves.indexOf(message.move)]}`) ?? message.text;
    if (amount) this.acting.amounts.set(amount.label, amount.moves.indexOf(message.move));
    this.hint = { at: message.at, move: message.refs.length ? null : message.move, refs: message.refs, label, words: message.words };
    if (message.at === this.at) say(`${label}: ${message.words}`);
  }

  draw() {
    const kept = document.activeElement?.dataset?.key;
    const read = !this.results.box.hidden;
    this.details.hide();
    this.drawBar();
    this.drawNotes();
    if (!this.seat.begun) this.gather();
    else if (this.table && this.fullest) this.motion.draw(this.table, !this.mine, () => drawTable(this.felt, this));
    this.sidePanel.update();
    if (narrow() && this.table?.ask && !this.hasTaught && this.felt.querySelector(".worded")) {
      this.hasTaught = true;
      toast("Hold a card to enlarge it.");
    }
    // The next key closes a new result, even if a button in the top bar had the focus.
    const next = !read && !this.results.box.hidden && kept?.startsWith("bar-") ? "go on" : kept;
    if (next) this.page.querySelector(`[data-key="${CSS.escape(next)}"]`)?.focus({ preventScroll: true });
  }

  drawBar() {
    const table = this.table;
    const who = this.seat.you ? null : el("span", { class: "chip" }, "watching");
    fill(this.bar,
      el("div", { class: "titles" }, el("h1", {}, table?.game ?? (this.seat.title || "Table")),
        el("span", { class: "heading" }, [this.seat.variant, ...(table?.heading ?? [])].filter(Boolean).join(" · "))), who,
      el("span", { class: "away-note", role: "status" }, "Connection lost. Reconnecting …"),
      this.nav());
  }

  nav() {
    const { you, begun, host } = this.seat;
    return el("nav", { "aria-label": "Table" },
      button("Rules", () => this.sidePanel.open("sheet"), { "data-key": "bar-rules", title: "F1", class: "roomy" }),
      button("Aid", () => this.sidePanel.open("aid"), { "data-key": "bar-aid", title: "F2: player aid", class: "roomy" }),
      button("Log", () => this.sidePanel.open("log"), { "data-key": "bar-log", title: "F3", class: "roomy" }),
      this.chat.any ? button(this.chat.unread ? `Chat (${this.chat.unread})` : "Chat", () => this.sidePanel.open("chat"), { "data-key": "bar-chat", title: "F4", class: this.chat.unread ? "unread" : "" }) : null,
      you && begun ? button("Hint", () => this.counsel(), { "data-key": "bar-hint", title: "Key H: what a bot would do, and why" }) : null,
      you && begun ? button("Undo", () => this.undo(), { "data-key": "bar-undo", title: "Key U", "aria-disabled": !this.canUndo && "true" }) : null,
      this.canGiveUp() ? button("Give up", () => this.giveUp(), { "data-key": "bar-give-up" }) : null,
      begun ? button("Report", () => this.odd(), { "data-key": "bar-odd", class: "roomy", "aria-label": "Report a problem", title: "Report a problem to the host" }) : null,
      button("Settings", () => this.sidePanel.open("settings"), { "data-key": "bar-settings", class: "roomy" }),
      host ? button("Host", () => this.sidePanel.open("host"), { "data-key": "bar-host", class: "roomy" }) : null,
      this.home("roomy"),
      button("More", () => this.sidePanel.open("sheet"), { "data-key": "bar-more", class: "snug", "aria-label": "Rules, players, log" }));
  }

  drawNotes() {
    const wish = this.seat.wish;
    const mine = wish && wish.who === this.seat.you;
    fill(this.notes,
      this.seat.stuck ? el("p", { class: "note bad", role: "alert" }, this.seat.stuck) : null,
      wish && mine ? el("p", { class: "note", role: "status" }, `You asked to undo your last move. Waiting for: ${wish.left.join(", ")}.`,
        button("Cancel", () => this.send({ do: "agree", wish: wish.key, yes: false }), { "data-key": "give up" })) : null,
      wish && wish.left.includes(this.seat.you) ? el("p", { class: "note", role: "alert" },
        `${wish.who} asks to undo their last move. ${wish.why} `,
        button("Agree", () => this.send({ do: "agree", wish: wish.key, yes: true }), { "data-key": "agree", class: "main" }),
        button("Decline", () => this.send({ do: "agree", wish: wish.key, yes: false }), { "data-key": "refuse" })) : null,
      this.table?.over && !this.results.fresh.length ? el("div", { class: "note" }, this.ended()) : null);
  }

  ended() {
    const again = this.seat.host
      ? button("Play again", () => { this.results.pass(); this.send({ do: "begin" }); }, { class: "main", "data-key": "again" })
      : el("span", { class: "quiet" }, this.seat.hosted ? `${this.seat.hosted} can start another match.` : "The host can start another match.");
    const asks = this.seat.asks && this.seat.you && this.answered !== this.at;
    return el("div", { class: "ended" }, asks ? this.questions() : null, again, this.home());
  }

  // Link back to the lobby, if the host came from there in this window.
  home(kind = "") {
    const house = sessionStorage.getItem("house");
    return this.seat.host && house ? el("a", { class: `home ${kind}`, href: `#house/${house}` }, "All games") : null;
  }

  questions() {
    const marks = [1, 2, 3, 4, 5];
    const row = (key, said) => el("fieldset", {}, el("legend", {}, said), marks.map((mark) =>
      el("label", {}, el("input", { type: "radio", name: key, value: mark }), `${mark}`)));
    return el("form", { class: "questions", onsubmit: async (event) => {
      event.preventDefault();
      const found = Object.fromEntries([...new FormData(event.target)].map(([key, value]) => [key, Number(value)]));
      if (Object.keys(found).length < 3) return toast("Please answer all three questions.");
      if (!(await this.send({ do: "answers", ...found }))) { this.answered = this.at; toast("Thank you. Your answers are saved."); this.draw(); }
    } }, row("fun", "Was it fun?"), row("clear", "Was it clear what to do?"), row("again", "Would you play it again?"),
    el("button", { type: "submit" }, "Send"), el("span", { class: "quiet" }, "1 = no, 5 = yes"));
  }

  odd() {
    const word = el("input", { maxlength: 300, "aria-label": "What went wrong", placeholder: "Note (optional)" });
    const keep = async () => { if (!(await this.send({ do: "odd", word: word.value }))) toast("Report saved."); };
    this.details.ask([el("h2", {}, "Report a problem"), el("p", {}, "Did a rule, a move or a text seem wrong? The host can look at this moment later, with your note. Play continues."), word],
      "Report", keep, "Cancel");
    word.focus();
    word.addEventListener("keydown", (event) => { if (event.key === "Enter") this.details.yes(); });
  }

  // Waiting room before the match: players who have joined, and missing ones.
  gather() {
    const mine = this.seat.seats.find((seat) => seat.name === this.seat.you);
    const name = el("input", { value: this.typed ?? (recall("name") || this.seat.you) ?? "", oninput: (event) => { this.typed = event.target.value; }, maxlength: 24, "aria-label": "Your name", "data-key": "name", id: "name" });
    const awaited = this.seat.missing.filter((each) => each !== this.seat.you);
    fill(this.felt, el("section", { class: "gather card-box" },
      el("h2", {}, mine && !mine.sat ? "Join the table" : "Waiting for players"),
      el("ul", { class: "who" }, this.seat.seats.map((seat) => el("li", { class: seat.sat ? "sat" : "" },
        `${seat.name}${seat.name === this.seat.you ? " (you)" : ""}: ${seat.sat ? (seat.kind === "person" ? "joined" : this.seat.bots[seat.kind]) : "not here yet"}`))),
      mine && !mine.sat ? el("form", { class: "row", onsubmit: (event) => { event.preventDefault(); remember("name", name.value.trim()); this.send({ do: "sit", name: name.value }); } },
        el("label", { for: "name" }, "Your name"), name, el("button", { type: "submit", class: "main" }, "Join")) : null,
      this.seat.host ? [this.host.invitation(), this.host.links()]
        : el("p", { class: "quiet" }, `The host can see all moves, the time each one took${this.seat.asks ? ", your reports and your answers at the end" : " and your reports"}.`),
      this.seat.host ? button(awaited.length ? "Start without waiting" : "Start game", () => this.send({ do: "begin" }), { "data-key": "begin" }) : null));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const part = { F1: "sheet", F2: "aid", F3: "log", F4: this.chat.any ? "chat" : undefined, "?": event.target.closest?.("input") ? undefined : "sheet" }[event.key];
    if (part) { event.preventDefault(); return this.sidePanel.open(part); }
    if (event.key === "Escape" && (this.sidePanel.close() || (this.table && this.results.go()))) return;
    if (event.target.closest?.("input, select, textarea, dialog")) return;
    if (this.reveals.any && [" ", "Enter"].includes(event.key) && !event.target.closest?.(".bar, .told, .beside")) {
      event.preventDefault();
      return this.reveals.next();
    }
    if (this.table && this.held.any && [" ", "Enter"].includes(event.key) && !event.target.closest?.(".bar, .results, .told, .beside")) {
      event.preventDefault();
      return this.results.next();
    }
    if (this.table && this.acting.key(event)) event.preventDefault();
    else if (event.key === "u" && this.seat?.you) this.undo();
    else if (event.key === "h" && this.seat?.you) this.counsel();
  }

  link(secret) {
    return `${this.seat.address}/#table/${secret}`;
  }

  copy(secret, label) {
    copied(this.link(secret), label);
  }
}
