// Puts the page together: one link, one router, one layout.

import { Announcer } from "./components/announcer.js";
import { Banner } from "./components/banner.js";
import { helpDialog } from "./components/help.js";
import { QuickJump } from "./components/quick-jump.js";
import { worstWord } from "./components/status.js";
import { listenForKeys } from "./keyboard.js";
import { Layout } from "./layout.js";
import { Link } from "./link.js";
import { Router } from "./router.js";
import { invalidate, tick } from "./scheduler.js";
import { SeriesStore } from "./series.js";
import { Shell } from "./shell.js";
import { Trading } from "./trading.js";

const scheme = location.protocol === "https:" ? "wss:" : "ws:";
const link = new Link(`${scheme}//${location.host}/live`);
const announcer = new Announcer();

const context = {
  link,
  series: new SeriesStore(),
  status: link.topics.open("status", () => context.refresh()).entry,
  refresh: () => invalidate(render),
  search: () => jump.show(),
  reveal,
  show,
  trading: new Trading(link, announcer.tell),
};

const layout = new Layout(context);
const router = new Router((route) => {
  show(route);
  document.getElementById("main").focus({ preventScroll: true });
});
context.router = router;
const jump = new QuickJump(context);
const help = helpDialog();
const shell = new Shell(context, { search: () => jump.show(), help: () => help.showModal() });
const banner = new Banner(context);

function show(route) {
  layout.show(route);
  shell.show(route, layout.instrument);
}

function render() {
  context.chip.render();
  announcer.say(banner.render() ?? `Connection: ${worstWord(link, context.status)}`);
}

/** Scrolls a row of a list into view and puts the focus on it, as soon as it is there. */
function reveal(key, attempts = 60) {
  const row = document.querySelector(`[data-row="${CSS.escape(key)}"]`);
  if (row) {
    row.setAttribute("tabindex", "-1");
    row.scrollIntoView({ block: "center" });
    row.focus({ focusVisible: true });
  } else if (attempts > 0) {
    requestAnimationFrame(() => reveal(key, attempts - 1));
  }
}

document.querySelector(".skip-ticket").addEventListener("click", (event) => {
  event.preventDefault();
  layout.ticket?.focus();
});
listenForKeys({ layout, jump, help, router });
const books = link.topics.open("books", () => {
  // The server knows which venues are open: its first instrument is the one to start with.
  if (layout.prefer(books.entry.state?.instruments?.[0]?.symbol)) show(router.route);
});
link.observe(render);
tick(render);
show(router.route);
render();
