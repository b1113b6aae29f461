// Queue of tables that wait while the viewer reads a result. Reading shows the earlier table, and Continue leads to the
// later ones. No result is skipped, even if the others play fast.

import { large, named } from "./results.js";
import { getLastEventPosition } from "./event_log.js";

const results = (message) => message.table.moments.filter(large).map(named);

export class ResultQueue {
  constructor(view) {
    this.view = view;
    this.queue = [];
  }

  get any() { return this.queue.length > 0; }

  // The table with the results to read now.
  get first() { return this.queue[0]?.table ?? null; }

  clear() { this.queue = []; }

  // Position of the last event shown when the results came.
  get told() { return this.queue[0]?.told ?? getLastEventPosition(this.view.table); }

  // Queues a new table if it must wait. Returns whether it did.
  keeps(message) {
    const { table, results: shown } = this.view;
    const last = this.queue.at(-1);
    if (last) {
      const now = results(message);
      if (results(last).every((each) => now.includes(each))) this.queue[this.queue.length - 1] = { ...message, told: last.told };
      else this.queue.push({ ...message, told: getLastEventPosition(message.table) });
      return true;
    }
    const ended = Boolean(table?.over && shown.fresh.length && !message.table.over);
    if (!ended && (!table || message.table.over || !shown.hasNew(message.table))) return false;
    this.queue.push({ ...message, told: getLastEventPosition(message.table) });
    return true;
  }

  // Moves on after the results were read: to the next ones, or to the current table.
  release() {
    const { results: shown } = this.view;
    while (this.any) {
      this.view.show(this.queue.shift());
      if (this.any && shown.hasNew(this.first) && !this.first.over) return;
      if (this.view.table.over && shown.fresh.length) return;
    }
  }
}
