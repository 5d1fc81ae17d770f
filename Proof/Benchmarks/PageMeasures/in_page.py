"""Scripts that run inside the measured page."""

# Records the first paint, the first live value, long tasks, frames and layout shifts; SELECTORS maps a path to the
# element that contains a digit once a live value is shown.
WATCH = r"""((SELECTORS) => {
  const watch = { value: null, paint: null, frames: [], tasks: [], shift: 0, isOn: false };
  self.watch = watch;
  const listen = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  listen("paint", ({ name, startTime }) => { if (name === "first-contentful-paint") watch.paint = startTime; });
  listen("longtask", ({ startTime, duration }) => watch.tasks.push({ startTime, duration }));
  listen("layout-shift", ({ value, hadRecentInput }) => { if (!hadRecentInput) watch.shift += value; });
  const step = (now) => {
    if (watch.isOn) watch.frames.push(now);
    else if (watch.value === null) look();
    requestAnimationFrame(step);
  };
  const look = () => {
    const path = location.pathname;
    const element = document.querySelector(SELECTORS[path] ?? "no-such-screen");
    if (element && /\d/.test(element.textContent)) watch.value = performance.now();
  };
  watch.begin = () => Object.assign(watch, { frames: [], tasks: [], shift: 0, isOn: true });
  watch.end = () => {
    watch.isOn = false;
    const spans = watch.frames.slice(1).map((time, index) => time - watch.frames[index]).sort((a, b) => a - b);
    const at = (share) => spans[Math.min(spans.length - 1, Math.floor(share * spans.length))] ?? NaN;
    const sum = spans.reduce((whole, span) => whole + span, 0);
    return {
      frames: 1000 * spans.length / sum, p95: at(0.95), p99: at(0.99), longestFrame: at(1), shift: watch.shift,
      longTasks: watch.tasks.length, longestTask: Math.max(0, ...watch.tasks.map(({ duration }) => duration)),
    };
  };
  requestAnimationFrame(step);
})"""

# Transferred bytes; a reload's cached resources count as zero.
TRANSFERS = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .map((entry) => ({ name: new URL(entry.name).pathname, bytes: entry.transferSize }))"""

# Places `count` waiting orders on a separate socket, 16 at a time.
PLACE_ORDERS = """(count) => new Promise((resolve, reject) => {
  const socket = new WebSocket(`ws://${location.host}/live`);
  let [sent, answered] = [0, 0];
  const place = () => {
    sent += 1;
    socket.send(JSON.stringify({ do: "order.place", order: {
      clientId: `measure-${sent}`, type: "limit", side: "buy", quantity: "1", price: `1.${10 + sent % 90}` } }));
  };
  const pace = setInterval(() => {
    if (sent < count && sent - answered < 16) place();
    if (answered >= count) { clearInterval(pace); socket.close(); resolve(answered); }
  }, 30);
  socket.onmessage = ({ data }) => {
    const { reply } = JSON.parse(data);
    if (reply && !reply.ok) reject(new Error(reply.message));
    if (reply) answered += 1;
  };
  socket.onerror = () => reject(new Error("the socket failed"));
})"""

# Visits the screens by links, a few frames each.
NAVIGATE = """async ([paths, count]) => {
  const link = document.body.appendChild(document.createElement("a"));
  link.dataset.go = "";
  for (let index = 0; index < count; index += 1) {
    link.href = paths[index % paths.length];
    link.click();
    await new Promise((resolve) => setTimeout(resolve, 120));
  }
  link.remove();
}"""
