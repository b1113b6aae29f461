// Fits the table to the window. While a part would need scrolling, the layout becomes denser, step by step. The styles
// define each step, as [data-fit~="1"] and so on. A part with room left then becomes looser on its own. To keep the
// layout stable, each part keeps the room that it needed before in this match, and no step becomes looser again. In a
// small window, what still does not fit scrolls inside its part: first the other players, then the middle.

const STEPS = 8;
const LARGEST = 0.6; // share of the window that stays reserved for the viewer's area
const HIGHEST = 0.66; // maximum share of a large window while a denser layout is possible
const LOWER = 0.85; // a denser layout must reduce the height to this share
const RESERVED = [".upper .place", ".kind", ".mine .own", ".mine > .line", ".mine .hands"]; // parts that never shrink
const fits = (part) => part.scrollHeight <= part.clientHeight + 1 && part.scrollWidth <= part.clientWidth + 1;
const parts = (felt) => [...felt.querySelectorAll(narrow() ? ".upper, .others, .middle, .dock, .own, .buttons" : ".upper, .dock")];
const measure = (part) => part.getBoundingClientRect().height; // exact: a rounded height would move the parts by a pixel
const halves = (felt) => [...felt.querySelectorAll(".upper, .dock")];
const lie = (part, step) => { part.dataset.fit = Array.from({ length: step }, (_, at) => at + 1).join(" "); };

let size = "";
let needs = {}; // `step` (and of each half: `upper`, `dock`), `height` of the viewer's area, `rooms` of the parts, `touched` piles

// Starts a new layout if the window or the match has changed. Returns whether it did.
export function startLayout(felt, at) {
  const now = `${felt.clientWidth} ${felt.clientHeight} ${at?.split(":")[0]}`;
  if (now === size) return false;
  size = now;
  needs = { step: 0, upper: 0, dock: 0, height: 0, rooms: new Map(), touched: new Set() };
  return true;
}

// Whether a pile has cards to tap, or had them when the viewer was last asked: it keeps their size meanwhile. A hand keeps
// it for the match.
export function isTouched({ ref, form }, open, asked) {
  if (open) needs.touched.add(ref);
  else if (asked && form !== "hand") needs.touched.delete(ref);
  return needs.touched.has(ref);
}

export const getStep = () => needs.step;

export function fit(felt) {
  const dock = felt.querySelector(".dock");
  if (!dock) return;
  reserve(felt);
  let step = closer(felt, needs.step);
  if (step > needs.step) { // the rooms belong to a looser layout
    [needs.height, needs.rooms] = [0, new Map()];
    reserve(felt);
    step = needs.step = closer(felt, needs.step);
  }
  needs.height = Math.max(needs.height, measure(dock));
  keepHeight(felt, dock);
  if (!parts(felt).every(fits)) dock.style.minHeight = ""; // fitting takes precedence over stability
  if (narrow() && !parts(felt).every(fits)) {
    for (const [, part] of listReserved(felt)) part.style.minHeight = "";
    step = closer(felt, 0);
  }
  const height = dock.offsetHeight;
  loosen(felt, dock, "dock", step, () => dock.offsetHeight <= height);
  loosen(felt, felt.querySelector(".upper"), "upper", step, () => true);
  for (const [key, part] of listReserved(felt)) needs.rooms.set(key, Math.max(needs.rooms.get(key) ?? 0, measure(part)));
}

const listReserved = (felt) => RESERVED.flatMap((which) => [...felt.querySelectorAll(which)].map((part, at) => [`${which} ${at}`, part]));

function keepHeight(felt, dock) {
  dock.style.minHeight = `${Math.min(needs.height, felt.clientHeight * LARGEST)}px`;
}

function reserve(felt) {
  if (!narrow()) keepHeight(felt, felt.querySelector(".dock"));
  for (const [key, part] of listReserved(felt)) part.style.minHeight = `${needs.rooms.get(key) ?? 0}px`;
}

// Makes a part as loose as it was before, then denser until everything fits.
function loosen(felt, part, name, step, allowed) {
  let found = Math.min(step, needs[name]);
  for (lie(part, found); found < step && !(allowed() && parts(felt).every(fits)); lie(part, found)) found += 1;
  needs[name] = Math.max(needs[name], Math.min(found, STEPS));
}

// Makes the layout denser, from a minimum step until it fits or to the last, and returns the step. The viewer's area may
// cover much of a table that fits otherwise if a denser layout hardly reduces its height.
function closer(felt, least) {
  const dock = felt.querySelector(".dock");
  const covers = () => !narrow() && dock.offsetHeight > felt.clientHeight * HIGHEST;
  const all = (step) => halves(felt).forEach((part) => lie(part, step));
  let [step, fitted, height] = [least, null, 0];
  for (all(step); step < STEPS; all(++step)) {
    if (!parts(felt).every(fits)) continue;
    if (!covers()) break;
    if (fitted === null) [fitted, height] = [step, dock.offsetHeight];
  }
  if (fitted !== null && dock.offsetHeight > height * LOWER) all(step = fitted);
  return step;
}

// Below this width, everything not needed for a move goes into a drawer.
const phone = matchMedia("(max-width: 44rem)");
export const narrow = () => phone.matches;
