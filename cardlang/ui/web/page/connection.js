// WebSocket connection to the server. It reconnects automatically and resends requests without a reply. The position in
// a request (`at`) prevents duplicate execution.

export class Connection {
  constructor(secret, hear, state) {
    this.secret = secret;
    this.hear = hear;
    this.state = state;
    this.next = 1;
    this.open = new Map();
    this.tries = 0;
    this.lost = false;
    this.connect();
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
  }

  connect() {
    clearTimeout(this.timer);
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    this.socket = socket;
    socket.onopen = () => {
      socket.send(JSON.stringify({ hello: this.secret }));
      for (const entry of this.open.values()) this.say(entry);
    };
    socket.onmessage = (event) => this.heard(JSON.parse(event.data));
    socket.onclose = () => {
      if (socket !== this.socket || this.lost) return;
      this.state(false);
      this.timer = setTimeout(() => this.connect(), Math.min(8000, 250 * 2 ** this.tries++) * (0.7 + Math.random() * 0.6));
    };
  }

  hurry() {
    if (!this.lost && this.socket.readyState === WebSocket.CLOSED) this.connect();
  }

  heard(message) {
    if (message.is === "lost") this.lost = true;
    this.tries = 0;
    this.state(true);
    const asked = message.id && this.open.get(message.id);
    if (asked && (message.is === "done" || message.is === "no")) {
      this.open.delete(message.id);
      if (message.is === "done" || asked.again) asked.settle(null);
      else asked.settle(message.why);
      return;
    }
    this.hear(message);
  }

  // A resent request has the flag `again`, because the server may have executed it already.
  say(entry) {
    this.socket.send(JSON.stringify(entry.said ? { ...entry.data, again: true } : entry.data));
    entry.said = true;
  }

  // Resolves to null on success, else to the error message.
  send(data) {
    const id = this.next++;
    return new Promise((settle) => {
      const entry = { data: { ...data, id }, settle, said: false, again: false };
      this.open.set(id, entry);
      if (this.socket.readyState === WebSocket.OPEN) this.say(entry);
      this.socket.addEventListener("close", () => { entry.again = Boolean(data.at); });
    });
  }
}
