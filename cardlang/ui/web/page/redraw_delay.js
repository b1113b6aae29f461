// Delays redraws during a press: a button replaced between press and release never receives a click.

const LONGEST = 1500; // milliseconds; a release can go unreported, for example over the list of a select

// Wraps `hear` to delay messages while a pointer or the space bar is down. The click comes before delayed messages.
export function delayDuringPress(hear) {
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
