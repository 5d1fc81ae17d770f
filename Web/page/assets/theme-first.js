// @ts-check
// Runs before the first paint, so that a chosen theme never flashes in the other one.
// The choices themselves are made in preferences.js, which owns the same two keys.
(() => {
  try {
    const root = document.documentElement;
    const theme = localStorage.getItem("livetape.theme");
    const colours = localStorage.getItem("livetape.colours");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    if (colours) root.dataset.colours = colours;
  } catch {
    // Storage may be forbidden; the page then follows the system.
  }
})();
