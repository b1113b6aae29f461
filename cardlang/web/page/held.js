// Tables that wait while a result lies on the screen: whoever reads it sees the table as it was, and goes on to what has
// come since. No result is passed over, however fast the others play.

import { large, named } from "./results.js";
import { lastTold } from "./story.js";

const results = (message) => message.table.moments.filter(large).map(named);

export class Held {
  constructor(place) {
    this.place = place;
    this.queue = [];
  }

  get any() { return this.queue.length > 0; }

  // The table whose results are to be read now.
  get first() { return this.queue[0]?.table ?? null; }

  clear() { this.queue = []; }

  // How far it had been told when they came.
  get told() { return this.queue[0]?.told ?? lastTold(this.place.table); }

  // Whether a table that has come has to wait; then it is kept here.
  keeps(message) {
    const { table, results: shown } = this.place;
    const last = this.queue.at(-1);
    if (last) {
      const now = results(message);
      if (results(last).every((each) => now.includes(each))) this.queue[this.queue.length - 1] = { ...message, told: last.told };
      else this.queue.push({ ...message, told: lastTold(message.table) });
      return true;
    }
    const ended = Boolean(table?.over && shown.fresh.length && !message.table.over);
    if (!ended && (!table || message.table.over || !shown.hasNew(message.table))) return false;
    this.queue.push({ ...message, told: lastTold(message.table) });
    return true;
  }

  // Those results were read: on to the next, or to the table as it is.
  release() {
    const { results: shown } = this.place;
    while (this.any) {
      this.place.show(this.queue.shift());
      if (this.any && shown.hasNew(this.first) && !this.first.over) return;
      if (this.place.table.over && shown.fresh.length) return;
    }
  }
}
