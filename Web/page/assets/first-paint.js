// Runs before the first paint, so that the chosen theme applies at once and the placeholder blocks
// match the screen that follows. Also opens the socket before the main code loads. preferences.js
// owns the two keys and writes them.
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
    // If storage is blocked, the page follows the system.
  }
  // link.js reuses this socket, or the token request that precedes it.
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  if (needsTicket) {
    window.firstTicket = fetch("/session/socket");
    // link.js handles the rejection as well.
    window.firstTicket.catch(() => {});
  } else window.firstSocket = new WebSocket(`${scheme}//${location.host}/live`);
  // Remove the blocks if the page fails to load.
  addEventListener("error", () => {
    const frame = document.getElementById("first-frame");
    const line = frame?.querySelector(".first-top");
    if (!frame || !line) return;
    frame.removeAttribute("aria-hidden");
    frame.setAttribute("role", "alert");
    line.textContent = "Livetape could not be loaded. Reload the page to try again.";
  }, true);
})();
