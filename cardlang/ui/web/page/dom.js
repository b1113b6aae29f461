// Builds DOM elements from plain values. Strings become text nodes, never markup.

export function el(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "vars") for (const [key, val] of Object.entries(value)) made.style.setProperty(key, val);
    else if (name === "data") for (const [key, val] of Object.entries(value)) made.dataset[key] = val;
    else made.setAttribute(name, value === true ? "" : value);
  }
  add(made, children);
  return made;
}

function add(parent, children) {
  for (const child of children) {
    if (Array.isArray(child)) add(parent, child);
    else if (child !== null && child !== undefined && child !== false) parent.append(child);
  }
}

export function fill(parent, ...children) {
  parent.replaceChildren();
  add(parent, children);
}

export const button = (text, onclick, props = {}) => el("button", { type: "button", onclick, ...props }, text);

let hiding;
// `drawn`: the message with its cards drawn.
export function toast(text, drawn = text) {
  const place = document.getElementById("toast");
  fill(place, drawn);
  place.hidden = false;
  document.getElementById("alert").textContent = text.replace(/[[\]]/g, "");
  clearTimeout(hiding);
  hiding = setTimeout(() => { place.hidden = true; }, Math.max(3500, text.length * 60));
}

// A sentence of a game that begins with a call ("Scopa!") is shown large for a moment, above the middle of a part.
export function cheer(text, part) {
  const [, call, rest] = text.match(/^(\p{L}+!) *(.*)$/u) ?? [];
  if (!call || !part) return;
  const { left, top, width, height } = part.getBoundingClientRect();
  const shown = el("div", { class: "cheer", "aria-hidden": "true" }, el("strong", {}, call), rest);
  shown.style.left = `${left + width / 2}px`;
  shown.style.top = `${top + height / 2}px`;
  shown.addEventListener("animationend", () => shown.remove());
  document.body.append(shown);
}

// The next action hides the message.
for (const touched of ["pointerdown", "keydown"]) addEventListener(touched, () => { document.getElementById("toast").hidden = true; }, true);

export function say(text) {
  const live = document.getElementById("live");
  live.append(el("p", {}, text.replace(/[[\]]/g, "")));
  while (live.children.length > 12) live.firstChild.remove();
}

export function copied(text, label) {
  const done = () => toast(`${label} copied.`);
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => prompt("Copy this link:", text));
  else prompt("Copy this link:", text);
}

export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

export function ordinal(count) {
  const ending = [11, 12, 13].includes(count % 100) ? "th" : ["th", "st", "nd", "rd"][count % 10] ?? "th";
  return `${count}${ending}`;
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
