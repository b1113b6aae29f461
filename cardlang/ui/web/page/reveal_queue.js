// Animation of cards that are revealed one after another: each table stays visible for a while before the result.
// Enter, the space bar or a click on the table skips the wait.

const WHILE = 2000; // milliseconds

export class RevealQueue {
  constructor(view) {
    this.view = view;
    this.queue = [];
  }

  get any() { return this.queue.length > 0; }

  clear() {
    clearTimeout(this.timer);
    this.queue = [];
  }

  // Queues a message if earlier tables must be shown first. Returns whether it did.
  keeps(message, isNew) {
    const way = isNew ? (message.way ?? []).map((table) => ({ ...message, table, way: [], step: "", passing: true })) : [];
    if (!way.length && !this.any) return false;
    const first = !this.any;
    this.queue.push(...way, message);
    if (first) this.next();
    return true;
  }

  // Shows the next intermediate table, or all later messages.
  next() {
    clearTimeout(this.timer);
    do this.view.settle(this.queue.shift());
    while (this.any && !this.queue[0].passing && !this.passing);
    this.view.draw();
    if (this.any) this.timer = setTimeout(() => this.next(), WHILE);
  }

  get passing() { return Boolean(this.view.passing); }
}
