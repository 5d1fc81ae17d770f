// The few line icons of the page, as paths on a 24 × 24 grid.

/** @type {{[name: string]: string}} */
const PATHS = {
  feed: "M3 13h4l3-8 4 14 3-8h4",
  stocks: "M4 6h16M4 12h16M4 18h10",
  products: "M4 4h7l9 9-7 7-9-9zM8.2 8.2h.01",
  market: "M4 5h7M4 9.5h5M4 14h6M4 18.5h3M20 5h-4M20 9.5h-6M20 14h-3M20 18.5h-7",
  exchange: "M7 4v14M3.5 14.5 7 18l3.5-3.5M17 20V6M13.5 9.5 17 6l3.5 3.5",
  orders: "M6 3.5h12v17l-3-2-3 2-3-2-3 2zM9 8.5h6M9 12.5h6",
  rail: "M4 5h16v14H4zM9 5v14",
  layout: "M4 5h16v14H4zM14 5v14M4 13.5h10",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 20 20",
  display: "M12 3.5a8.5 8.5 0 1 0 0 17zM12 3.5a8.5 8.5 0 0 1 0 17",
  help: "M9 9.2a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1.1-1.4 2.1v.4M12 17.6v.01"
    + "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z",
  back: "M14.5 5.5 8 12l6.5 6.5",
  close: "M6 6l12 12M18 6 6 18",
  markets: "M4 5h16M4 10h16M4 15h9M4 20h6M17.5 13.5v7M14 17h7",
  erase: "M9 5.5h11v13H9L3 12zM12 9.5l5 5M17 9.5l-5 5",
  star: "M12 3.6l2.6 5.3 5.8.8-4.2 4.1 1 5.8-5.2-2.7-5.2 2.7 1-5.8-4.2-4.1 5.8-.8z",
  more: "M5.5 12h.01M12 12h.01M18.5 12h.01",
  plus: "M12 5v14M5 12h14",
  bell: "M6 17.5V11a6 6 0 0 1 12 0v6.5M4 17.5h16M10 20.5h4M12 5V3.5",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
};

const NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * An icon that says nothing to a screen reader; the control around it has the name.
 * @param {string} name
 */
export function icon(name) {
  const image = document.createElementNS(NAMESPACE, "svg");
  image.setAttribute("viewBox", "0 0 24 24");
  image.setAttribute("class", "icon");
  image.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(NAMESPACE, "path");
  path.setAttribute("d", PATHS[name] ?? "");
  image.append(path);
  return image;
}
