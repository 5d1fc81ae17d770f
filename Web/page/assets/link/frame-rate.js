// How often this page draws: the server is asked for no more frames than that.

/** Sixty a second. */
const FAST_MILLISECONDS = 16;
/** What the server sends unasked. */
const USUAL_MILLISECONDS = 33;
/** A display that needs longer for a frame draws fewer than sixty a second. */
const LONGEST_FAST_FRAME_MILLISECONDS = 17.5;
const FRAMES_MEASURED = 11;

/** The least time between two frames that this page can use, in milliseconds. */
export async function frameMilliseconds() {
  if (document.hidden) return USUAL_MILLISECONDS;
  /** @type {number[]} */
  const times = [];
  while (times.length < FRAMES_MEASURED) {
    times.push(await new Promise((drawn) => requestAnimationFrame(drawn)));
  }
  const frames = times.slice(1).map((time, index) => time - times[index]);
  const median = frames.sort((a, b) => a - b)[Math.floor(frames.length / 2)];
  return median <= LONGEST_FAST_FRAME_MILLISECONDS ? FAST_MILLISECONDS : USUAL_MILLISECONDS;
}
