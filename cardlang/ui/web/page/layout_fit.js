// Fits the table to the window. While a part would need scrolling, the layout becomes denser, step by step. The styles
// define each step, as [data-fit~="1"] and so on. A part with room left then becomes looser on its own. To keep the
// layout stable, the table gets no looser, and the viewer's area no lower, than the last moves required.

const STEPS = 8;
const RECENT = 16; // number of moves considered
const LARGEST = 0.6; // share of the window that stays reserved for the viewer's area
const HIGHEST = 0.66; // maximum share of a large window while a denser layout is possible
const LOWER = 0.85; // a denser layout must reduce the height to this share
const fits = (part) => part.scrollHeight <= part.clientHeight + 1 && part.scrollWidth <= part.clientWidth + 1;
const parts = (felt) => [...felt.querySelectorAll(".upper, .dock")];
const lie = (part, step) => { part.dataset.fit = Array.from({ length: step }, (_, at) => at + 1).join(" "); };

let size = "";
let recent = []; // needs of the last moves: `at`, `step` (and of each part: `upper`, `dock`), `height`

export function fit(felt, at = recent.at(-1)?.at) {
  const now = `${felt.clientWidth} ${felt.clientHeight} ${at?.split(":")[0]}`;
  const dock = felt.querySelector(".dock");
  if (now !== size) [size, recent] = [now, []];
  if (!recent.length || recent.at(-1).at !== at) recent = [...recent.slice(1 - RECENT), { at, step: 0, upper: 0, dock: 0, height: 0 }];
  const last = recent.at(-1);
  if (!dock) return;
  dock.style.minHeight = "";
  last.step = Math.max(last.step, closer(felt, 0));
  const step = closer(felt, most("step"));
  last.height = Math.max(last.height, dock.offsetHeight);
  dock.style.minHeight = `${Math.min(most("height"), felt.clientHeight * LARGEST)}px`;
  if (!parts(felt).every(fits)) dock.style.minHeight = ""; // fitting takes precedence over stability
  const height = dock.offsetHeight;
  loosen(felt, dock, "dock", step, () => dock.offsetHeight <= height);
  loosen(felt, felt.querySelector(".upper"), "upper", step, () => true);
}

const most = (what) => Math.max(...recent.map((each) => each[what]));

// Makes a part as loose as possible while everything fits. In a small window, earlier moves don't count for the
// viewer's area: the hand is at the lower edge anyway, and the events use the room above.
function loosen(felt, part, name, step, allowed) {
  const last = recent.at(-1);
  let found = 0;
  for (lie(part, found); found < step && !(allowed() && parts(felt).every(fits)); lie(part, found)) found += 1;
  last[name] = narrow() && name === "dock" ? found : Math.max(last[name], found);
  lie(part, narrow() && name === "dock" ? found : Math.min(step, most(name)));
}

// Makes the layout denser, from a minimum step until it fits, and returns the step. The viewer's area may cover much of
// a table that fits otherwise if a denser layout hardly reduces its height.
function closer(felt, least) {
  const dock = felt.querySelector(".dock");
  const covers = () => !narrow() && dock.offsetHeight > felt.clientHeight * HIGHEST;
  const all = (step) => parts(felt).forEach((part) => lie(part, step));
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
