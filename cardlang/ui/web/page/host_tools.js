// Host tools: share links, replace a player by a bot, fix the table.

import { button, el, ordinal } from "./dom.js";

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

export class HostTools {
  constructor(view) {
    this.view = view;
  }

  links() {
    const { seats, links, address } = this.view.seat;
    const local = LOCAL.includes(new URL(address).hostname);
    const hint = !links.some((link) => link.seat !== null)
      ? ["No seat is for a friend. To invite someone, start a new game and choose “a friend” for a seat."]
      : local ? ["These links work only on this computer. To invite players in your network, start the server with ", el("code", {}, "--host 0.0.0.0"), "."] : null;
    return [el("ul", { class: "links" }, links.map((link) => {
      const name = link.seat === null ? "spectators" : seats[link.seat].name;
      return el("li", {}, el("span", {}, link.seat === null ? "For spectators" : name),
        el("input", { readonly: true, value: this.view.link(link.secret), "aria-label": `Link for ${name}`, "data-key": `link ${link.secret}`, onfocus: (event) => event.target.select() }),
        button("Copy", () => this.view.copy(link.secret, `Link for ${name}`), { "data-key": `copy ${link.secret}` }));
    })), hint ? el("p", { class: "quiet" }, ...hint) : null];
  }

  // What to do with the links in the waiting room.
  invitation() {
    const { seats, links } = this.view.seat;
    const friends = links.filter((link) => link.seat !== null);
    const send = friends.length === 1 ? `Send ${seats[friends[0].seat].name} this link.` : "Send each friend their link.";
    return el("p", {}, `${send} The game starts when everyone has joined.`);
  }

  panel() {
    return el("div", { class: "hosting" }, el("h3", {}, "Links"), this.links(), el("h3", {}, "Seats"), this.seats(),
      this.view.chat.any ? this.mute("Mute all", -1, this.view.seat.seats.every((seat) => seat.muted)) : null,
      this.view.table ? this.allowing() : null);
  }

  // Overrides of the rules at a playtest. Log and record note them, and play continues.
  allowing() {
    const note = el("input", { placeholder: "Reason (all players see it)", maxlength: 200, "aria-label": "Reason for the fix", "data-key": "allow note", value: this.note ?? "",
      oninput: (event) => { this.note = event.target.value; } });
    return [el("h3", {}, "Fix the table"), el("p", { class: "quiet" }, "Override the rules once. All players see it in the log."), note,
      this.back(), this.moving(), this.setting()];
  }

  async allow(data) {
    if (!(await this.view.send({ do: "allow", note: this.note ?? "", ...data }))) this.note = "";
  }

  pick(label, options, key) {
    this.picked ??= {};
    return el("select", { "aria-label": label, "data-key": key, onchange: (event) => { this.picked[key] = event.target.value; this.view.sidePanel.update(); } },
      options.map(([value, text]) => el("option", { value, selected: value === this.picked[key] }, text)));
  }

  value(key, options) {
    const found = this.picked?.[key];
    return options.some(([value]) => value === found) ? found : options[0]?.[0] ?? "";
  }

  back() {
    const names = this.view.seat.seats.map((seat) => [seat.name, seat.name]);
    return el("div", { class: "row" }, "Let ", this.pick("Player whose move to undo", names, "back who"), button("undo a move", () =>
      this.allow({ what: "back", who: this.value("back who", names) }), { "data-key": "allow back" }));
  }

  moving() {
    const { places, middle, kinds } = this.view.table;
    const piles = [middle, ...places, ...kinds].flatMap((place) => place.piles);
    const named = piles.map((pile) => [pile.ref, `${pile.owner ? `${pile.owner}: ` : ""}${pile.label} (${pile.cards.length})`]);
    const from = piles.find((pile) => pile.ref === this.value("card from", named)) ?? piles[0];
    const cards = from.cards.map((card, at) => [card.ref, card.title ?? unknown(from, at)]);
    if (from.form === "stack") cards.reverse();
    return el("div", { class: "row" }, "Move a card from ", this.pick("From which pile", named, "card from"), this.pick("Which card", cards, "card which"), "to",
      this.pick("To which pile", named, "card to"), button("Move card", () =>
        this.allow({ what: "card", card: this.value("card which", cards), to: this.value("card to", named) }), { "data-key": "allow card", disabled: !cards.length }));
  }

  setting() {
    const kept = this.view.seat.tracks.map((each, at) => [String(at), `${each.of ? `${each.of}: ` : ""}${each.label} (${each.value})`]);
    if (!kept.length) return null;
    const value = el("input", { "aria-label": "New value", "data-key": "track value", size: 6 });
    return el("div", { class: "row" }, "Set ", this.pick("What to set", kept, "track which"), "to", value, button("Set", () => {
      const track = this.view.seat.tracks[Number(this.value("track which", kept))];
      this.allow({ what: "track", track: track.name, of: track.of ?? "", value: value.value });
    }, { "data-key": "allow track" }));
  }

  // Switch of the chat of a seat; of the whole table for seat -1.
  mute(label, seat, muted) {
    return button(label, () => this.view.send({ do: "mute", seat, muted: !muted }), { "aria-pressed": String(muted), "data-key": `mute ${seat}`, title: "Switch off chat" });
  }

  seats() {
    const { seats, bots, links } = this.view.seat;
    return el("ul", { class: "links" }, seats.map((seat, at) => {
      const person = seat.kind === "person" || links.some((link) => link.seat === at);
      return el("li", {}, el("span", {}, seat.name), el("select", { "aria-label": `Who plays as ${seat.name}`,
        onchange: (event) => this.view.send({ do: "seat", seat: at, kind: event.target.value }) },
      [...(person ? [["person", "a person"]] : []), ...Object.entries(bots)].map(([kind, label]) =>
        el("option", { value: kind, selected: kind === seat.kind }, label))),
      person ? this.mute("Mute", at, seat.muted) : null);
    }));
  }
}

// Name of a card that the host cannot identify, by its place in its pile.
function unknown(pile, at) {
  if (pile.form !== "stack") return `card ${at + 1}`;
  const place = pile.cards.length - at;
  return place === 1 ? "top card" : `${ordinal(place)} from the top`;
}
