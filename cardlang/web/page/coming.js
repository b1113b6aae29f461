// Cards that come up one after another before a result: each is seen on the table for a while, and only then what came
// of it. Enter, the space bar or a click on the table goes on at once.

const WHILE = 2000; // milliseconds

export class Coming {
  constructor(place) {
    this.place = place;
    this.queue = [];
  }

  get any() { return this.queue.length > 0; }

  clear() {
    clearTimeout(this.timer);
    this.queue = [];
  }

  // Whether a message has to wait for what is seen before it.
  keeps(message, isNew) {
    const way = isNew ? (message.way ?? []).map((table) => ({ ...message, table, way: [], step: "", passing: true })) : [];
    if (!way.length && !this.any) return false;
    const first = !this.any;
    this.queue.push(...way, message);
    if (first) this.next();
    return true;
  }

  // Shows what comes next: one table on the way, or all that has come since.
  next() {
    clearTimeout(this.timer);
    do this.place.settle(this.queue.shift());
    while (this.any && !this.queue[0].passing && !this.passing);
    this.place.draw();
    if (this.any) this.timer = setTimeout(() => this.next(), WHILE);
  }

  get passing() { return Boolean(this.place.passing); }
}
