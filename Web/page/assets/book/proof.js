// Proof to the pixel: a book is drawn only if the page finds the server's hash, and the venue's
// checksum if there is one, in the very rows that it is about to draw. The rule is the server's own
// code, compiled to WebAssembly; there is no second implementation.

import { read, remember } from "../base/storage.js";

const RETRY_MILLISECONDS = 5000;
/** How long the first rows wait for the proof code; then they are drawn unproven. */
const HOLD_MILLISECONDS = 3000;
const COUNT_KEY = "refusedBooks";
/** Result bits of `proof_check`. */
const HASH = 2;
const CHECKSUM = 4;
const CROSSED = 8;

/** @typedef {import("../link/topics.js").Judgement<Topic.Book | undefined>} Judgement */

export class BookProofs {
  /** @type {ProofExports | null} */
  #core = null;
  #triedAt = -Infinity;
  #holds = true;
  #encoder = new TextEncoder();
  /** The day and its number of rejected books. */
  #kept = (read(COUNT_KEY, "sessionStorage") ?? "").split("|");
  #topics;

  /** @param {import("../link/topics.js").Topics} topics */
  constructor(topics) {
    this.#topics = topics;
    topics.guard("book/", (said, shown) =>
      this.#judge(/** @type {Topic.Book} */ (said), /** @type {Topic.Book} */ (shown)));
  }

  /** How many books this tab has rejected today. */
  get refused() {
    const [day, count] = this.#kept;
    return day === today() ? Number(count) || 0 : 0;
  }

  /** @param {Topic.Book} said @param {Topic.Book | undefined} shown @returns {Judgement | null} */
  #judge(said, shown) {
    if (!said?.known) return { state: said };
    if (!this.#core) {
      this.load();
      return { state: this.#holds ? shown : said };
    }
    const found = this.#find(this.#core, said);
    const isWhole = (found & HASH) !== 0;
    const hasVenue = said.proof?.checksum !== undefined;
    if (isWhole && (found & CROSSED) === 0 && (!hasVenue || (found & CHECKSUM) !== 0)) {
      return { state: said, proof: hasVenue ? "venue" : "server" };
    }
    // The server found it too and is resyncing: the last valid rows stay.
    if (isWhole && said.status !== "synced") return { state: withRowsOf(said, shown) };
    this.#kept = [today(), String(this.refused + 1)];
    remember(COUNT_KEY, this.#kept.join("|"), "sessionStorage");
    return null;
  }

  /** @param {ProofExports} core @param {Topic.KnownBook} book */
  #find(core, { bids, asks, spread, basisPoints, bidShare, group, proof }) {
    const text = JSON.stringify([bids, asks, spread, basisPoints, bidShare, group]);
    const room = new Uint8Array(core.memory.buffer, core.proof_input(),
      core.proof_input_capacity());
    const { written = 0 } = this.#encoder.encodeInto(text, room);
    const [high, low] = proof?.hash ?? [];
    const { value, priceDigits, sizeDigits } = proof?.checksum ?? {};
    return core.proof_check(written, high, low, value, priceDigits ?? 0, sizeDigits ?? 0);
  }

  /** Loads the proof code; retried after a while. Until then no book counts as proven. */
  async load() {
    if (this.#core || performance.now() - this.#triedAt < RETRY_MILLISECONDS) return;
    this.#triedAt = performance.now();
    const hold = setTimeout(() => this.#release(), HOLD_MILLISECONDS);
    try {
      const response = await fetch(new URL("../proof.wasm", import.meta.url));
      if (!response.ok) throw new Error(`the proof is missing (${response.status})`);
      const { instance } = await WebAssembly.instantiateStreaming(response, {});
      this.#core = /** @type {ProofExports} */ (/** @type {unknown} */ (instance.exports));
    } catch (error) {
      console.warn("livetape: books are not proven on this page", error);
    }
    clearTimeout(hold);
    this.#release();
  }

  /** Checks what arrived meanwhile. */
  #release() {
    this.#holds = false;
    this.#topics.judgeAgain("book/");
  }
}

const today = () => new Date().toDateString();

/**
 * A book with another one's rows and the values derived from them.
 * @param {Topic.KnownBook} said
 * @param {Topic.Book | undefined} shown
 * @returns {Topic.KnownBook}
 */
function withRowsOf(said, shown) {
  /** @type {Partial<Topic.KnownBook>} */
  const { bids = [], asks = [], spread, basisPoints, bidShare, group = said.group } =
    shown?.known ? shown : {};
  return { ...said, bids, asks, spread, basisPoints, bidShare, group };
}
