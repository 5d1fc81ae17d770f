// What the browser's tab says: the price of the instrument on show while it can be believed, else
// the name of the screen.

export class PageTitle {
  #name = "";
  #quote = "";

  /**
   * The screen on show; the price of the one before is gone.
   * @param {string} name
   */
  show(name) {
    this.#name = name;
    this.#draw();
  }

  /**
   * The price of the instrument on show; "" while none can be believed.
   * @param {string} text
   */
  quote(text) {
    if (text === this.#quote) return;
    this.#quote = text;
    this.#draw();
  }

  #draw() {
    document.title = `${this.#quote || this.#name} · Livetape`;
  }
}
