// The page without its server: the files of one build stay on the device, so that the page opens
// and says how old what it shows is. Only the build knows their names; as modules there is no
// service worker. Prices and orders never pass here.

// The build writes both: every file of it, and what tells it from any other.
/** @type {string[]} */
const FILES = [];
const VERSION = "";

/** The page itself, whatever its path. */
const PAGE = "/";
const PREFIX = "livetape-shell-";
const SHELL = `${PREFIX}${VERSION}`;
/** How long the server has to answer before the page is shown as it was kept. */
const PATIENCE_MILLISECONDS = 4000;

const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll([PAGE, ...FILES])));
});

// It begins once no page of the build before is open: that one still asks for its own files.
worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names
    .filter((name) => name.startsWith(PREFIX) && name !== SHELL)
    .map((name) => caches.delete(name)))));
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (FILES.includes(pathname)) event.respondWith(kept(pathname, request));
  else if (request.mode === "navigate" && isScreen(pathname, search)) {
    event.respondWith(page(request));
  }
});

/**
 * Whether a path leads to a screen, and not to a file ("/orders.csv") or with a token to a cookie.
 * @param {string} path
 * @param {string} query
 */
function isScreen(path, query) {
  return !/\.[a-z]+$/.test(path) && !new URLSearchParams(query).has("token");
}

/**
 * @param {string} path
 * @param {Request} request
 */
async function kept(path, request) {
  return await caches.match(path, { cacheName: SHELL }) ?? fetch(request);
}

/**
 * The server's page; as it was kept where the server is away, too slow, or behind a proxy that says
 * so.
 * @param {Request} request
 */
async function page(request) {
  const asked = fetch(request);
  const answered = asked.then((response) => {
    if ([502, 503, 504].includes(response.status)) throw new Error("the server is away");
    return response;
  });
  try {
    return await Promise.race([answered, late()]);
  } catch {
    return await caches.match(PAGE, { cacheName: SHELL }) ?? asked;
  }
}

/** @returns {Promise<never>} */
const late = () => new Promise((_, reject) => {
  setTimeout(() => reject(new Error("the server is slow")), PATIENCE_MILLISECONDS);
});
