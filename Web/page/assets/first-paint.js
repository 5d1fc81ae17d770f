// Runs before the first paint, so that a chosen theme never flashes in the other one, and the grey
// blocks that stand until the page comes are those of the screen that will stand there.
// It also opens the socket, which else would wait for the code. The choices themselves are made in
// preferences.js, which owns the same two keys.
(() => {
  const root = document.documentElement;
  const [, place = ""] = location.pathname.toLowerCase().split("/");
  const isMarket = ["", "book", "trades", "chart"].includes(place);
  root.dataset.frame = isMarket ? "market" : place === "exchange" ? "exchange" : "list";
  let needsTicket = false;
  try {
    needsTicket = localStorage.getItem("livetape.ticket") === "needed";
    const theme = localStorage.getItem("livetape.theme");
    const colours = localStorage.getItem("livetape.colours");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    if (colours) root.dataset.colours = colours;
  } catch {
    // Storage may be forbidden; the page then follows the system.
  }
  // It stands by the time the code is there: link.js takes it over, or what it needs first.
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  if (needsTicket) {
    window.firstTicket = fetch("/session/socket");
    // Who takes it over hears of it, too.
    window.firstTicket.catch(() => {});
  } else window.firstSocket = new WebSocket(`${scheme}//${location.host}/live`);
  // The blocks must not stand for ever where the page can't come.
  addEventListener("error", () => {
    const frame = document.getElementById("first-frame");
    const line = frame?.querySelector(".first-top");
    if (!frame || !line) return;
    frame.removeAttribute("aria-hidden");
    frame.setAttribute("role", "alert");
    line.textContent = "Livetape could not be loaded. Reload the page to try again.";
  }, true);
})();
