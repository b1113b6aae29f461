// Controls for moves that differ only in a number. A few numbers get one button each. Many get a slider, steps, buttons
// for minimum, half (or named bet sizes) and maximum, and a text field. The button for the move is not highlighted,
// because the minimum is no more likely to be the intended move than the others.

import { button, capital, el } from "./dom.js";

// Index of the amount nearest to a number.
const nearest = (amounts, number) => amounts.reduce((best, each, at) => Math.abs(each - number) < Math.abs(amounts[best] - number) ? at : best, 0);

const FEW = 6;
const LONG = 12; // wordings from this length on get a slider instead of buttons

export function amounts(ask, acting) {
  return (ask.amounts ?? []).map((amount) => inParts(amount, acting)).map(({ whole, go, dial }) => whole ?? el("span", { class: "amount" }, dial, go));
}

// The button for the move and, if a number must be set, its controls.
export function inParts(amount, acting) {
  return isListed(amount) ? { whole: listed(amount, acting) } : dialled(amount, acting);
}

// The name of the move at a place.
function called({ amounts, label, says, pattern }, at) {
  if (!pattern) return says?.[at] ?? `${label} ${amounts[at]}`;
  const written = pattern.numbers.map(([factor, added]) => factor * amounts[at] + added);
  return pattern.words.map((words, place) => `${words}${written[place] ?? ""}`).join("");
}

function isListed({ amounts, says = [] }) {
  return amounts.length === 1 || (amounts.length <= FEW && says.every((each) => each.length < LONG));
}

// The common part of the labels appears once.
function listed(amount, acting) {
  const { amounts, says = [] } = amount;
  const lead = amounts.length > 1 && !says.length ? amount.label : "";
  return el("span", { class: `amount few ${lead ? "group" : ""}` }, lead ? el("span", { class: "lead" }, lead) : null, amounts.map((number, at) =>
    button(lead ? String(number) : called(amount, at), () => acting.make(amount.moves[at]), { "aria-label": called(amount, at), "data-key": `amount ${amount.label} ${number}`, data: at ? {} : { amount: amount.label } })));
}

function dialled(amount, acting) {
  const at = acting.amountAt(amount);
  const last = amount.amounts.length - 1;
  const go = button(called(amount, at), () => acting.raise(amount), { class: "go", "data-key": `amount ${amount.label}` });
  const slider = el("input", { type: "range", min: 0, max: last, value: at, "aria-label": amount.label, "aria-valuetext": String(amount.amounts[at]),
    data: { amount: amount.label, key: `slide ${amount.label}` } });
  const field = el("input", { type: "number", min: amount.amounts[0], max: amount.amounts[last], value: amount.amounts[at], "aria-label": `${amount.label}: how much`,
    data: { key: `field ${amount.label}` } });
  const keep = (place) => {
    acting.amounts.set(amount.label, place);
    slider.value = place;
    slider.setAttribute("aria-valuetext", String(amount.amounts[place]));
    go.textContent = called(amount, place);
  };
  const set = (place) => {
    keep(Math.max(0, Math.min(last, place)));
    field.value = amount.amounts[acting.amountAt(amount)];
  };
  slider.addEventListener("input", () => set(Number(slider.value)));
  slider.addEventListener("keydown", (event) => { if (event.key === "Enter") acting.raise(amount); });
  field.addEventListener("input", () => {
    const place = amount.amounts.indexOf(Number(field.value));
    if (place >= 0) keep(place);
  });
  field.addEventListener("change", () => set(nearest(amount.amounts, Number(field.value))));
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    set(nearest(amount.amounts, Number(field.value)));
    acting.raise(amount);
  });
  const step = (by, sign) => button(sign, () => set(acting.amountAt(amount) + by), { "aria-label": by < 0 ? "less" : "more", class: "step" });
  const jump = (name, place) => button(`${name} ${amount.amounts[place]}`, () => set(place), { class: "step jump", "data-key": `${name} ${amount.label}` });
  const half = nearest(amount.amounts, (amount.amounts[0] + amount.amounts[last]) / 2);
  const between = amount.sizes?.length ? amount.sizes.map(([name, number]) => jump(capital(name), amount.amounts.indexOf(number))) : jump("Half", half);
  const named = amount.sizes?.some(([, number]) => number === amount.amounts[last]);
  const jumps = el("span", { class: "jumps" }, jump("Min", 0), between, named ? null : jump("Max", last));
  return { go, dial: [el("span", { class: "dial" }, step(-1, "−"), slider, step(1, "+"), field), jumps] };
}
