// A table lies as loosely as its window lets it. While a part of it would have to be scrolled for, it lies closer, step by
// step; what each step takes away stands in the styles, as [data-fit~="1"] and so on. What one does not look at stays where
// it is: the table lies no looser, and what is the viewer's own no lower, than it had to within the last moves.

const STEPS = 8;
const RECENT = 16; // so many moves
const LARGEST = 0.6; // of the window, that is kept for what is the viewer's own while it needs less
const HIGHEST = 0.66; // of a large window, that it takes at most while it can lie closer
const LOWER = 0.85; // of its height: by less it is not worth it
const fits = (part) => part.scrollHeight <= part.clientHeight + 1 && part.scrollWidth <= part.clientWidth + 1;
const parts = (felt) => [...felt.querySelectorAll(".upper, .dock")];

let size = "";
let recent = []; // what each of the last moves needed: `at`, `step`, `height`

export function fit(felt, at = recent.at(-1)?.at) {
  const now = `${felt.clientWidth} ${felt.clientHeight} ${at?.split(":")[0]}`;
  const dock = felt.querySelector(".dock");
  if (now !== size) {
    [size, recent] = [now, []];
    if (dock) dock.style.minHeight = "";
  }
  if (!recent.length || recent.at(-1).at !== at) recent = [...recent.slice(1 - RECENT), { at, step: 0, height: 0 }];
  const last = recent.at(-1);
  last.step = Math.max(last.step, closer(felt, 0));
  const step = closer(felt, Math.max(...recent.map((each) => each.step)));
  if (!dock) return;
  last.height = Math.max(last.height, dock.offsetHeight);
  dock.style.minHeight = `${Math.min(Math.max(...recent.map((each) => each.height)), felt.clientHeight * LARGEST)}px`;
  closer(felt, step);
  if (parts(felt).every(fits)) return;
  dock.style.minHeight = ""; // what is needed comes before what stays where it was
  closer(felt, step);
}

// Lies it so close, and closer until it fits; how close that is. What is the viewer's own may cover much of a table that
// fits otherwise, where lying closer hardly makes it lower.
function closer(felt, least) {
  const dock = felt.querySelector(".dock");
  const covers = () => !narrow() && dock?.offsetHeight > felt.clientHeight * HIGHEST;
  const lie = (step) => { felt.dataset.fit = Array.from({ length: step }, (_, at) => at + 1).join(" "); };
  let [step, fitted, height] = [least, null, 0];
  for (lie(step); step < STEPS; lie(++step)) {
    if (!parts(felt).every(fits)) continue;
    if (!covers()) break;
    if (fitted === null) [fitted, height] = [step, dock.offsetHeight];
  }
  if (fitted !== null && dock.offsetHeight > height * LOWER) lie(step = fitted);
  return step;
}

// Below this width all but what one needs for a move lies in a drawer.
const phone = matchMedia("(max-width: 44rem)");
export const narrow = () => phone.matches;
