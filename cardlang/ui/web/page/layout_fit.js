// Plans the layout of a table, once per match and size of the window: how dense its halves are, and the room of each
// part. The plan fits the fullest tables of other matches, so parts keep their places and sizes. The styles define each
// step of density, as [data-fit~="1"] and so on. In a small window, what still does not fit scrolls inside its part:
// first the other players, then the middle.

const STEPS = 8;
const READABLE = 5; // the last step that hides nothing the viewer reads; tables that need more are not planned for
const HIGHEST = 0.66; // maximum share of a large window for the viewer's area while a denser layout is possible
const LOWER = 0.85; // a denser layout must reduce the height to this share
const OWN = ".dock, .mine .hands, .hands > .pile"; // the viewer's area and hand
const PARTS = `.upper .place, .kind, .centre .status, .mine .own, ${OWN}`; // keep their height
const PILES = ".kind, .centre, .centre .pile"; // keep their width as well
const PRICES = [[3, `${PARTS}, ${PILES}`], [4, PARTS], [5, OWN]]; // number of denser steps worth a layout in which these parts keep their places
const EVENT_LINES = 5.4; // lines of the log, with the edges
const UPPER_EDGES = 16; // pixels: the edges of the upper half in a small window, and the gap between its parts
const BADGE = 9; // pixels by which a number on a card may leave its part
const fits = (felt) => [...felt.querySelectorAll(narrow() ? ".upper, .others, .middle, .dock, .own, .buttons" : ".upper, .dock")]
  .every((part) => part.scrollHeight <= part.clientHeight + 1 && part.scrollWidth <= part.clientWidth + BADGE);
const steps = Array.from({ length: STEPS + 1 }, (_, step) => step);

let size = "";
const dense = (step) => ({ upper: step, dock: step, kept: "", rooms: new Map() }); // steps of the halves, parts that keep their size, these sizes
let plan = dense(0);
let touched = new Set(); // piles of which a card was tapped

// Plans a new layout if the window, the match or the number of tables to fit has changed. `drawAll` returns these tables,
// drawn in the felt.
export function planLayout(felt, at, count, drawAll) {
  const now = `${felt.clientWidth} ${felt.clientHeight} ${at?.split(":")[0]} ${count}`;
  if (now === size) return;
  [size, touched] = [now, new Set()];
  const all = drawAll();
  for (const pile of felt.querySelectorAll(".pile")) pile.classList.toggle("touched", touched.has(pile.dataset.ref));
  for (const each of all) lay(each, dense(READABLE));
  const felts = all.filter(fits);
  plan = felts.length ? loosen(felts, findPlan(felts)) : dense(READABLE);
  if (narrow() && felts.length) fixHalves(felts);
}

// In a small window, if the middle is empty, the viewer's area keeps its height, with up to five lines of events above
// the question. The upper half gets denser for them and keeps the height of its fullest table. Events take the rest.
function fixHalves(felts) {
  const line = 1.2 * parseFloat(getComputedStyle(document.documentElement).fontSize);
  if (felts.every((each) => each.querySelector(".middle :is(.pile:not([hidden]), .kind)"))) return;
  for (const each of felts) lay(each, plan);
  const height = Math.max(...felts.map((each) => each.querySelector(".dock").offsetHeight));
  const told = Math.min(...felts.map((each) => each.querySelector(".told").offsetHeight));
  const attemptWith = (room) => search(plan.upper, READABLE, (upper) => {
    const tried = { ...plan, upper, rooms: new Map(plan.rooms).set("dock", [0, room]) };
    for (const each of felts) lay(each, tried);
    return felts.every(fits) ? tried : null;
  });
  for (let room = height + Math.max(0, EVENT_LINES * line - told); room > height - line; room -= line) {
    const found = attemptWith(room);
    if (!found) continue;
    found.rooms.set("dock", [0, Math.max(room, felts[0].clientHeight - Math.max(...felts.map(measureUpper)))]);
    plan = found;
    return;
  }
}

function measureUpper(felt) {
  const [others, middle] = [felt.querySelector(".others"), felt.querySelector(".middle")];
  const boxes = [...middle.querySelectorAll(":scope > *, .centre .piles, .centre .status")].map((part) => part.getBoundingClientRect()).filter(({ height }) => height);
  const inside = boxes.length ? Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top)) : 0;
  const panels = [...others.querySelectorAll(".place > *")].map((part) => part.getBoundingClientRect().bottom);
  return (panels.length ? Math.max(...panels) - others.getBoundingClientRect().top : 0) + inside + UPPER_EDGES;
}

// Whether a pile has cards to tap, or had them: a pile of a player or a long one when the viewer was last asked, others
// at any time. It keeps their size meanwhile.
export function isTouched({ ref, form, owner, cards }, open, asked) {
  if (open) touched.add(ref);
  else if (asked && form !== "hand" && (owner !== null || cards.length > 14)) touched.delete(ref);
  return touched.has(ref);
}

// Lays out a table by the plan. Returns whether it fits.
export function fit(felt) {
  lay(felt, plan);
  if (!fits(felt)) return false;
  plan.rooms = measure([felt], plan.kept, plan.rooms);
  return true;
}

// Lays out a table that is fuller than planned on its own. Returns whether a plan could include it.
export function fitAlone(felt) {
  const alone = search(plan.dock, STEPS, (step) => attempt([felt], step, step, "")) ?? dense(STEPS);
  lay(felt, alone);
  return alone.dock <= READABLE;
}

function findPlan(felts) {
  const find = (least, most, kept) => search(least, most, (step) => attempt(felts, step, step, kept));
  const loosest = find(0, READABLE, "");
  const found = PRICES.reduce((best, [price, kept]) => best ?? find(loosest.dock, Math.min(loosest.dock + price, READABLE), kept), null) ?? loosest;
  const covers = ({ height }) => !narrow() && height > felts[0].clientHeight * HIGHEST;
  if (!covers(found)) return found;
  const lower = search(found.dock + 1, STEPS, (step) => [attempt(felts, step, step, PARTS)].find((each) => each && !covers(each)));
  return lower?.height < found.height * LOWER ? lower : found;
}

// Makes each half as loose as the other allows.
function loosen(felts, found) {
  const low = (each) => (each?.height <= found.height ? each : null);
  const dock = search(0, found.dock - 1, (step) => low(attempt(felts, found.upper, step, found.kept))) ?? found;
  return search(0, found.upper - 1, (step) => attempt(felts, step, dock.dock, found.kept)) ?? dock;
}

// Returns what `test` finds at the least step where it finds anything, else null. It finds something at all denser steps.
function search(least, most, test) {
  let found = null;
  while (least <= most) {
    const middle = Math.floor((least + most) / 2);
    const each = test(middle);
    if (each) [found, most] = [each, middle - 1];
    else least = middle + 1;
  }
  return found;
}

// Returns the plan with these steps if all tables fit while the parts in `kept` have the same room on each, else null.
function attempt(felts, upper, dock, kept) {
  const tried = { ...dense(upper), dock, kept };
  for (const felt of felts) lay(felt, tried);
  if (!felts.every(fits)) return null;
  if (kept) tried.rooms = measure(felts, kept);
  if (kept) for (const felt of felts) lay(felt, tried);
  tried.height = felts[0].querySelector(".dock").offsetHeight;
  return !kept || felts.every(fits) ? tried : null;
}

const list = (felt, which) => [...felt.querySelectorAll(which)].map((part) => [part.dataset.ref ?? part.dataset.part ?? part.className.split(" ")[0], part]);

function measure(felts, which, rooms = new Map()) {
  if (!which) return rooms;
  for (const [key, part] of felts.flatMap((felt) => list(felt, which))) {
    const { width, height } = part.getBoundingClientRect(); // exact: a rounded height would move the parts by a pixel
    const [broad, tall] = rooms.get(key) ?? [0, 0];
    rooms.set(key, [part.matches(PILES) ? Math.max(broad, width) : 0, Math.max(tall, height)]);
  }
  return rooms;
}

function lay(felt, { upper, dock, kept, rooms }) {
  for (const [half, step] of [[".upper", upper], [".dock", dock]]) {
    for (const part of felt.querySelectorAll(half)) part.dataset.fit = steps.slice(1, step + 1).join(" ");
  }
  for (const [key, part] of list(felt, `${PARTS}, ${PILES}`)) {
    const [width, height] = rooms.get(key) ?? [0, 0];
    const own = narrow() && part.closest(".hands"); // at the bottom of the window in any case
    [part.style.minWidth, part.style.minHeight] = [width, height].map((each) => each && !own ? `${each}px` : "");
    if (part.matches(".absent")) part.hidden = !height && !((!narrow() || kept.startsWith(PARTS)) && part.matches(".centre *"));
  }
}

// Below this width, everything not needed for a move goes into a drawer.
const phone = matchMedia("(max-width: 44rem)");
export const narrow = () => phone.matches;
