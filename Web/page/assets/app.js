// Puts the page together: one link, one router, one layout.

import { Alerts } from "./alerts/alerts.js";
import { invalidate, tick } from "./base/scheduler.js";
import { BookProofs } from "./book/proof.js";
import { Announcer, Banner, Intro } from "./frame/banner.js";
import { Frame } from "./frame/frame.js";
import { listenForKeys } from "./frame/keyboard.js";
import { Layout } from "./frame/layout.js";
import { Router } from "./frame/router.js";
import { SCREENS } from "./frame/screens.js";
import { PageTitle, Shell } from "./frame/shell.js";
import { StatusChip, worstWord } from "./frame/status.js";
import { KeptState } from "./link/kept-state.js";
import { Link } from "./link/link.js";
import { Sparks } from "./markets/spark.js";
import { toastOrders } from "./orders/receipts.js";
import { Trading } from "./orders/trading.js";
import { SeriesStore } from "./stocks/series.js";
import { t } from "./text/texts.js";
import { stateWord } from "./text/words.js";
import { byId } from "./ui/dom.js";
import { loadLazyParts, withPart } from "./ui/lazy.js";
import { toast } from "./ui/toast.js";

/** Delay before secondary code loads, so that it does not compete with the first view. */
const QUIET_MILLISECONDS = 5000;

const scheme = location.protocol === "https:" ? "wss:" : "ws:";
const link = new Link(`${scheme}//${location.host}/live`);
new KeptState(link);
const proofs = new BookProofs(link.topics);
const status = link.topics.open("status", render).entry;
const announcer = new Announcer();
const router = new Router((route) => {
  show(route);
  byId("main").focus({ preventScroll: true });
});
const wide = matchMedia("(min-width: 64rem)");
const roomy = matchMedia("(min-width: 43.75rem) and (min-height: 35rem)");
const isWide = () => wide.matches;
const frame = new Frame(byId("main"), new URLSearchParams(location.search).get("layout"));
const title = new PageTitle();
/** @type {import("./frame/quick-jump.js").QuickJump | undefined} */
let jump;
/** @type {HTMLDialogElement | undefined} */
let helpDialog;
/** Key of the row to scroll to; "" when no scroll is pending. */
let revealed = "";
const chip = new StatusChip({ link, status, proofs, refresh: () => invalidate(render) });
const trading = new Trading(link, announcer.tell);
toastOrders(trading);
const layout = new Layout({
  link, status, router, isWide, frame, title,
  isRoomy: () => roomy.matches,
  series: new SeriesStore(),
  sparks: new Sparks(() => link.now()),
  trading, proofs,
  alerts: new Alerts(link, { announce: announcer.tell, toast }),
  search,
  reveal,
});
const shell = new Shell({
  chip, frame, now: () => link.now(), search, help,
});
const banner = new Banner({ link, status });
const intro = new Intro(status);

/** @param {Route} route */
function show(route) {
  layout.show(route);
  if (route.screen === "stocks" && route.name) reveal(route.name);
  shell.show(route, (place) => layout.routeTo(place));
}

function render() {
  chip.render();
  shell.render();
  intro.render();
  announcer.say(banner.render() ?? t("Connection: {state}",
    { state: stateWord(worstWord(link, status)) }));
}

// Scrolls a row of a list into view and focuses it once it exists, unless the user has acted since.
/** @param {string} key */
function reveal(key) {
  revealed = key;
  find(key);
}

/** @param {string} key */
function find(key) {
  if (revealed !== key) return;
  const row = document.querySelector(`[data-row="${CSS.escape(key)}"]`);
  if (!(row instanceof HTMLElement)) {
    requestAnimationFrame(() => find(key));
    return;
  }
  revealed = "";
  row.setAttribute("tabindex", "-1");
  row.scrollIntoView({ block: "center" });
  row.focus({ focusVisible: true });
}

for (const kind of ["pointerdown", "keydown", "wheel", "popstate"]) {
  addEventListener(kind, () => { revealed = ""; }, { capture: true, passive: true });
}

/** @param {(name: string) => void} [choose] receives a chosen market, instead of opening it */
function search(choose) {
  withPart("QuickJump", (QuickJump) => {
    const parts = { link, status, router, reveal, screens: SCREENS };
    jump ??= new QuickJump({ ...parts, commands: commands() });
    jump.show(choose);
  });
}

function help() {
  withPart("makeHelp", (makeHelp) => {
    helpDialog ??= makeHelp(commands());
    if (!helpDialog.open) helpDialog.showModal();
  });
}

document.querySelector(".skip-ticket")?.addEventListener("click", (event) => {
  event.preventDefault();
  layout.ticket?.focus();
});
const commands = listenForKeys({ layout, search, help, speak: announcer.answer, router });
for (const query of [wide, roomy]) {
  query.addEventListener("change", () => show(router.route));
}
const books = link.topics.open("books", () => {
  // The first market of the venue with the most markets, else of any; only open venues are listed.
  const { instruments, acceptsPair } = books.entry.state ?? { instruments: [] };
  const first = instruments.find(({ venue }) => venue === acceptsPair) ?? instruments[0];
  if (layout.prefer(first?.symbol)) show(router.route);
});
link.observe(render);
tick(render);
show(router.route);
render();
byId("first-frame").remove();
// Code that calls loadLazyParts earlier gets its error; this preload ignores it.
setTimeout(() => {
  loadLazyParts().catch(() => {});
  // Without a service worker the page needs the server to open.
  navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
}, QUIET_MILLISECONDS);
