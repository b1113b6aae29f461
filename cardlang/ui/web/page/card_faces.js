// Printed content of cards: small chips that replace codes in brackets, and large cards with their text.

import { el } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const LONG = 7; // a list of more cards is sorted

export class CardFaces {
  constructor(changed) {
    this.changed = changed;
    this.faces = [];
    this.byCode = new Map();
  }

  // Fetches the printed content of an edition's cards, once.
  async of(art) {
    if (!art || this.art === art) return;
    this.art = art;
    const answer = await fetch(`/cards/${art}`);
    if (!answer.ok || this.art !== art) return;
    this.faces = await answer.json();
    this.byCode = new Map(this.faces.map((face, number) => [face.code, { ...face, number }]));
    this.changed();
  }

  // A sentence with `[9G 2p]` drawn as cards. `bare`: codes to be drawn even without brackets.
  text(said, bare = new Set()) {
    return said.split(/(\[[^[\]]+\])/).map((part) => {
      if (!part.startsWith("[")) return bare.size ? part.split(/([\p{L}\p{M}\p{N}♠♥♦♣]+)/u).map((word) => bare.has(word) ? this.drawn(word) : word) : part;
      const codes = part.slice(1, -1).split(" ");
      if (codes.length > LONG) codes.sort((one, other) => (this.byCode.get(one)?.number ?? 0) - (this.byCode.get(other)?.number ?? 0));
      return codes.every((code) => this.byCode.has(code)) ? codes.map((code) => this.drawn(code)) : part;
    });
  }

  // A sentence with its cards as pictures.
  spread(said) {
    return said.replace(/\.$/, "").split(/(\[[^[\]]+\])/).filter(Boolean).map((part) => {
      const faces = part.startsWith("[") ? part.slice(1, -1).split(" ").map((code) => this.byCode.get(code)) : [];
      return el("span", { class: "cards" }, faces.length && faces.every(Boolean)
        ? faces.map((face) => el("span", { class: "card", role: "img", "aria-label": face.title }, el("img", { src: this.picture({ face: face.number }), alt: "" }))) : part);
    });
  }

  drawn(code) {
    const face = this.byCode.get(code);
    return face ? this.chip(face) : code;
  }

  chip(face) {
    return el("span", { class: "code", title: face.title, "aria-label": face.title, role: "img", data: { code: face.code } },
      face.titled ? face.title : face.index || face.title, face.path ? symbol(face) : null);
  }

  // The other face of a card if it is turned up, else null.
  other(card) { return (card.turned && this.faces[card.face]?.other) || null; }

  called(card) { return this.other(card)?.title ?? card.title; }

  // The value of a card with a printed index: large enough to read on a small card.
  index(card) {
    const face = card.face === null || card.turned ? null : this.faces[card.face];
    return face?.index ? el("span", { class: "index", "aria-hidden": "true", vars: { color: face.colour ?? "#1d2320" } }, face.index, face.path ? symbol(face) : null) : null;
  }

  picture(card) {
    return card.face === null ? `/art/${this.art}/back/${card.back}.svg` : `/art/${this.art}/${card.turned ? "other/" : ""}${card.face}.svg`;
  }

  isRead(number) {
    return Boolean(this.faces[number]?.passages.length || this.faces[number]?.other);
  }

  // A card large enough to read, with its text next to it.
  large(card, more) {
    const own = card.face === null ? null : this.faces[card.face];
    const turned = this.other(card);
    const face = turned ? { ...turned, other: own } : own;
    return [el("img", { src: this.picture(card), alt: "", class: "large" }), el("div", { class: "printed" },
      el("h2", {}, face ? face.title : "Face-down card"),
      face && face.foot && face.foot !== face.title ? el("p", { class: "quiet" }, face.foot) : null,
      this.words(face && (face.other && !turned ? { passages: [] } : face)),
      face?.other && !turned ? [el("h3", {}, face.other.title === face.title ? "Other side" : `Other side: ${face.other.title}`), this.words(face.other)] : null,
      more)];
  }

  words(side) {
    return (side?.passages ?? []).map(({ title, said }) => el("p", {}, title ? el("strong", {}, `${title}: `) : null,
      said.map((part) => (typeof part === "number" ? icon(side.icons[part]) : this.text(part)))));
  }
}

function icon(shown) {
  return el("span", { class: "icon", role: "img", "aria-label": shown.name, title: shown.name }, symbol(shown));
}

function symbol({ path, colour }) {
  const drawn = document.createElementNS(SVG, "svg");
  drawn.setAttribute("viewBox", "0 0 100 100");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  line.setAttribute("fill", colour);
  line.setAttribute("fill-rule", "evenodd");
  drawn.append(line);
  return drawn;
}
