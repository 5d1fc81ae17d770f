// The quiet sound of an alert: two soft notes, made here so that nothing has to be loaded.

const NOTES = [{ hertz: 660, after: 0 }, { hertz: 880, after: 0.16 }];
const LOUDNESS = 0.06;
const SECONDS = 0.35;

/** @type {AudioContext | null} */
let context = null;

/** Plays it, where a press has allowed the page to sound. */
export function chime() {
  try {
    context ??= new AudioContext();
    void context.resume();
    if (context.state !== "running") return;
    for (const note of NOTES) play(context, note);
  } catch {
    // A device without sound.
  }
}

/**
 * @param {AudioContext} audio
 * @param {{hertz: number, after: number}} note
 */
function play(audio, { hertz, after }) {
  const start = audio.currentTime + after;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = hertz;
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(LOUDNESS, start + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + SECONDS);
  tone.connect(volume).connect(audio.destination);
  tone.start(start);
  tone.stop(start + SECONDS);
}

// Browsers keep a page silent until somebody has touched it.
addEventListener("pointerdown", () => void context?.resume(), { passive: true });
