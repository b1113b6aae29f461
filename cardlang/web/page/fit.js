// A table lies as loosely as its window lets it. While a part of it would have to be scrolled for, it lies closer, step by
// step; what each step takes away stands in the styles, as [data-fit~="1"] and so on. A part that has room left then lies
// looser again by itself. What one does not look at stays where it is: the table lies no looser, and what is the viewer's
// own no lower, than it had to within the last moves.

const STEPS = 8;
const RECENT = 16; // so many moves
const LARGEST = 0.6; // of the window, that is kept for what is the viewer's own while it needs less
const HIGHEST = 0.66; // of a large window, that it takes at most while it can lie closer
const LOWER = 0.85; // of its height: by less it is not worth it
const fits = (part) => part.scrollHeight <= part.clientHeight + 1 && part.scrollWidth <= part.clientWidth + 1;
const parts = (felt) => [...felt.querySelectorAll(".upper, .dock")];
const lie = (part, step) => { part.dataset.fit = Array.from({ length: step }, (_, at) => at + 1).join(" "); };

let size = "";
let recent = []; // what each of the last moves needed: `at`, `step` (and each part alone: `upper`, `dock`), `height`

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
  if (!parts(felt).every(fits)) dock.style.minHeight = ""; // what is needed comes before what stays where it was
  const height = dock.offsetHeight;
  loosen(felt, dock, "dock", step, () => dock.offsetHeight <= height);
  loosen(felt, felt.querySelector(".upper"), "upper", step, () => true);
}

const most = (what) => Math.max(...recent.map((each) => each[what]));

// Lies a part as loosely as all still fits. In a small window what is the viewer's own has no memory: its hand lies at the
// lower edge anyway, and what happened has the room above.
function loosen(felt, part, name, step, allowed) {
  const last = recent.at(-1);
  let found = 0;
  for (lie(part, found); found < step && !(allowed() && parts(felt).every(fits)); lie(part, found)) found += 1;
  last[name] = narrow() && name === "dock" ? found : Math.max(last[name], found);
  lie(part, narrow() && name === "dock" ? found : Math.min(step, most(name)));
}

// Lies it so close, and closer until it fits; how close that is. What is the viewer's own may cover much of a table that
// fits otherwise, where lying closer hardly makes it lower.
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

// Below this width all but what one needs for a move lies in a drawer.
const phone = matchMedia("(max-width: 44rem)");
export const narrow = () => phone.matches;
