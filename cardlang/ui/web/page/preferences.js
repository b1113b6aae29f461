// Preferences of the viewer, remembered by this browser: name, animations, sounds, colour of the table.

import { button, el } from "./dom.js";

const SWITCHES = { fast: "Fast: skip animations", sound: "Sounds: cards, chips, your turn" };
const COLOURS = ["green", "blue", "red", "purple"];

export const recall = (key) => localStorage.getItem(key) ?? "";
export const remember = (key, value) => localStorage.setItem(key, value);
export const isOn = (key) => recall(key) === "yes";

const paint = () => { document.documentElement.dataset.felt = recall("felt"); };
paint();

// The preferences that the viewer can change. `changed`: called after each change.
export function drawPreferences(changed) {
  const set = (key, value) => { remember(key, value); paint(); changed(); };
  const felt = COLOURS.includes(recall("felt")) ? recall("felt") : COLOURS[0];
  return [...Object.entries(SWITCHES).map(([key, label]) =>
    el("label", { class: "row tick" }, el("input", { type: "checkbox", checked: isOn(key), "data-key": key, onchange: (event) => set(key, event.target.checked ? "yes" : "") }), label)),
  el("div", { class: "row", role: "group", "aria-label": "Colour of the table" }, "Table: ", COLOURS.map((colour) =>
    button(colour, () => set("felt", colour), { "aria-pressed": String(colour === felt), "data-key": `felt ${colour}` })))];
}
