// Keeps the rows of a list where they are while somebody may be about to press one: a row whose
// time is over stays for two seconds at least, and as long as the pointer is on the list. Where it
// is asked for, nothing new slides in above it meanwhile.

const STAYS_MILLISECONDS = 2000;

export class StillRows {
  /** @type {string[]} */
  #shown = [];
  /** @type {Map<string, number>} */
  #left = new Map();
  #isPointed = false;
  #touchedAt = -Infinity;
  #holdsNew;

  /**
   * `element` holds the rows; `refresh` is called when they may move again; `holdsNew` keeps new
   * ones out meanwhile.
   * @param {HTMLElement} element
   * @param {() => unknown} refresh
   */
  constructor(element, refresh, { holdsNew = false } = {}) {
    this.#holdsNew = holdsNew;
    element.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") this.#isPointed = true;
    });
    element.addEventListener("pointerleave", () => {
      this.#isPointed = false;
      refresh();
    });
    element.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch") this.#touchedAt = event.timeStamp;
    });
  }

  /**
   * The keys to show: `wanted`, which are numbers, highest first, and those that stay.
   * @param {string[]} wanted
   */
  arrange(wanted) {
    const now = performance.now();
    const isHeld = this.#isPointed || now - this.#touchedAt < STAYS_MILLISECONDS;
    const isWanted = new Set(wanted);
    const known = new Set(this.#shown);
    for (const key of isWanted) this.#left.delete(key);
    for (const key of this.#shown) {
      if (!isWanted.has(key) && !this.#left.has(key)) this.#left.set(key, now);
    }
    for (const [key, since] of this.#left) {
      if (!this.#isPointed && now - since >= STAYS_MILLISECONDS) this.#left.delete(key);
    }
    const present = this.#holdsNew && isHeld && known.size > 0
      ? wanted.filter((key) => known.has(key)) : wanted;
    this.#shown = this.#left.size === 0 ? present
      : [...present, ...this.#left.keys()].sort((a, b) => Number(b) - Number(a));
    return this.#shown;
  }

  /** The person wants to see other rows: nothing of these stays. */
  reset() {
    this.#shown = [];
    this.#left.clear();
  }

  /**
   * Whether a key is shown although its time is over.
   * @param {string} key
   */
  hasLeft(key) {
    return this.#left.has(key);
  }
}
