// Entry point. The URL's fragment selects the view: `#house/…` the lobby, `#table/…` a table. The rest of the fragment
// is a secret that is never part of a requested URL.

import { el, fill } from "./dom.js";
import { Connection } from "./connection.js";
import { Lobby } from "./lobby.js";
import { delayDuringPress } from "./redraw_delay.js";
import { TableView } from "./table_view.js";

const page = document.getElementById("page");
const [, where, secret] = location.hash.match(/^#(house|table)\/([\w-]{16,64})$/) ?? [];
addEventListener("hashchange", () => location.reload());

function lost(why) {
  document.body.className = "plain";
  fill(page, el("section", { class: "card-box" }, el("h1", {}, "cardlang"), el("p", {}, why)));
}

if (!secret) {
  lost("Open this page with a link: the one the server printed when it started, or one that a friend sent you.");
} else {
  const state = (on) => document.body.classList.toggle("away", !on);
  let shown;
  const connection = new Connection(secret, delayDuringPress((message) => {
    page.removeAttribute("aria-busy");
    if (message.is === "lost") return lost(message.why);
    if (message.is === "house" && !shown) shown = new Lobby(page, connection);
    if (message.is === "seat" && !shown) shown = new TableView(page, connection);
    shown?.hear(message);
  }), state);
}
