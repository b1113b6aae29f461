// What a host can do: give out links, have a bot take a seat, allow something once.

import { button, el } from "./dom.js";

export class Host {
  constructor(place) {
    this.place = place;
  }

  links() {
    const { seats, links } = this.place.seat;
    return el("ul", { class: "links" }, links.map((link) => {
      const name = link.seat === null ? "somebody who looks on" : seats[link.seat].name;
      return el("li", {}, el("span", {}, link.seat === null ? "To look on" : name),
        el("input", { readonly: true, value: this.place.link(link.secret), "aria-label": `Link for ${name}`, "data-key": `link ${link.secret}`, onfocus: (event) => event.target.select() }),
        button("Copy", () => this.place.copy(link.secret, `The link for ${name}`), { "data-key": `copy ${link.secret}` }));
    }));
  }

  panel() {
    return el("div", {}, el("h3", {}, "Links"), this.links(), el("h3", {}, "Seats"), this.seats());
  }

  seats() {
    const { seats, bots, links } = this.place.seat;
    return el("ul", { class: "links" }, seats.map((seat, at) => {
      const person = seat.kind === "person" || links.some((link) => link.seat === at);
      return el("li", {}, el("span", {}, seat.name), el("select", { "aria-label": `Who plays as ${seat.name}`,
        onchange: (event) => this.place.send({ do: "seat", seat: at, kind: event.target.value }) },
      [...(person ? [["person", "a person"]] : []), ...Object.entries(bots)].map(([kind, label]) =>
        el("option", { value: kind, selected: kind === seat.kind }, label))));
    }));
  }
}
