// Nothing is drawn anew under a finger: a button that is replaced between being pressed and let go is never clicked.

const LONGEST = 1500; // milliseconds; letting go is not always told, as over the list of a select

// `hear`, put off while a pointer or the space bar is down; what was done by letting go comes before what was put off.
export function patient(hear) {
  const waiting = [];
  const down = new Map();
  const forget = (what) => {
    clearTimeout(down.get(what));
    down.delete(what);
    while (!down.size && waiting.length) hear(waiting.shift());
  };
  const press = (what) => {
    clearTimeout(down.get(what));
    down.set(what, setTimeout(() => forget(what), LONGEST));
  };
  const release = (what) => { if (down.has(what)) setTimeout(() => forget(what), 0); };
  addEventListener("pointerdown", () => press("pointer"), true);
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => release("pointer"), true);
  addEventListener("keydown", (event) => { if (event.key === " " && !event.repeat) press("space"); }, true);
  addEventListener("keyup", (event) => { if (event.key === " ") release("space"); }, true);
  return (message) => {
    if (down.size) waiting.push(message);
    else hear(message);
  };
}
