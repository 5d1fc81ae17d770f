// The order ticket: the apps' Swift core, compiled to WebAssembly. It receives actions and returns
// effects, which run here; `view` is its output. It outlives the screens.

import { read, remember } from "../base/storage.js";
import { numberSigns } from "../text/format.js";
import { sentence, t } from "../text/texts.js";

/**
 * The ticket's inputs.
 * @typedef {object} Facts
 * @property {boolean} isOnline
 * @property {"unknown" | "reading" | "failed" | "ready" | "viewing"} orders
 * @property {Sentence | undefined} failure
 * @property {boolean} isLive
 * @property {string} freshness
 * @property {boolean} reviews
 * @property {boolean} tradingKeys
 * @property {TicketMarket | undefined} market
 * @property {number} revision of the own orders
 */

const STORED_KEY = "sentOrders";
const SEPARATOR = "\u001f";
/** Between the parts of a sentence. */
const PART = "\u001e";
const MAXIMUM_QUEUE = 200;
const ORDERS = ["unknown", "reading", "failed", "ready", "viewing"];
/** Action codes of `TicketInput`. */
const ACTION = Object.freeze({
  know: 1, signs: 2, side: 3, type: 4, typed: 5, step: 6, hold: 7, release: 8, click: 9, last: 10,
  takePrice: 11, key: 12, goOn: 13, back: 14, place: 15, edit: 16, next: 17, insist: 18,
  abandon: 19, previewed: 20, answered: 21, notSent: 22, connected: 23, restore: 24, timer: 26,
  validity: 27, share: 28, takeOffer: 29, again: 30, became: 31, condition: 32,
  reduceOnly: 33,
});
/** @typedef {keyof typeof ACTION} Action */
// The view fields that actions set.
/** @type {{[action in Action]?: keyof TicketView}} */
const PARTS = {
  side: "side", type: "type", validity: "timeInForce", condition: "condition",
  reduceOnly: "reduceOnly",
};
/** @typedef {string | number | boolean | undefined} Text */

const field = () => ({ typed: "", hint: "", fault: "" });
/** @type {() => TicketView} */
const emptyView = () => ({
  phase: "form", side: "buy", type: "market", last: "", turn: 0, settle: 400, wake: -1,
  quantity: field(), price: field(), protection: field(), trigger: field(), profit: field(),
  condition: "none",
  timeInForce: "gtc", reduceOnly: false, shares: [],
  label: t("Review buy order"), isClosed: true, isBlocked: true,
  reason: t("Waiting for prices."), preview: { isEmpty: true }, effects: [],
});

// A sentence as `TicketInput` reads it: each key after its number of arguments as a letter, each
// argument that is a text after "t".
/** @param {Sentence | undefined} sentence @returns {string} */
function flat(sentence) {
  if (!sentence) return "";
  const [key, ...parts] = typeof sentence === "string" ? [sentence] : sentence;
  return [String.fromCharCode(65 + parts.length) + key,
    ...parts.map((part) => (typeof part === "string" ? `t${part}` : flat(part)))].join(PART);
}

/** @param {unknown} texts */
const flag = (texts) => (texts ? "1" : "");

export class TicketCore {
  view = emptyView();
  /** @type {TicketExports | null} */
  #core = null;
  /** @type {[Action, Text[]][]} */
  #queue = [];
  #link;
  #announce;
  #changed;
  /** @type {((effects: TicketEffect[]) => unknown) | null} */
  #face = null;
  /** @type {string[]} */
  #signs = [];
  #timer = 0;
  /** The last order whose outcome was compared with its review. */
  #judged = "";
  /** @type {Promise<void> | null} */
  #loading = null;
  // Facts received before the core has loaded.
  /** @type {Facts | null} */
  #facts = null;
  /** Whether the core is needed: it is large, and most screens do without. */
  #isWanted = false;

  /**
   * `announce(text)` speaks to a screen reader; `changed()` follows changes without user action.
   * @param {Link} link
   * @param {(text: Sentence) => unknown} announce
   * @param {() => unknown} changed
   */
  constructor(link, announce, changed) {
    this.#link = link;
    this.#announce = announce;
    this.#changed = changed;
    link.hear("reply", (reply) => this.#heard(reply));
    link.hear("connected", () => {
      if (this.#isWanted) this.#load();
      this.act("connected");
      this.#changed();
    });
    // An order may still await its response, whichever screen is shown.
    if (stored()) this.#want();
  }

  /** Whether the core has loaded; until then actions are queued. */
  get isReady() {
    return this.#core !== null;
  }

  /** Loads the core; throws on failure. */
  async ready() {
    await this.#want();
    if (!this.#core) throw new Error(sentence(this.view.reason));
  }

  // Calls `face` with effects to draw and focus after each action. Returns a function that stops
  // it.
  /** @param {(effects: TicketEffect[]) => unknown} face @returns {Release} */
  attend(face) {
    this.#want();
    this.#face = face;
    return () => {
      if (this.#face === face) this.#face = null;
    };
  }

  // Passes an action to the core.
  /** @param {Action} action @param {...Text} texts */
  act(action, ...texts) {
    if (!this.#core) {
      if (this.#queue.length < MAXIMUM_QUEUE) this.#foresee(action, texts);
      return;
    }
    this.#face?.(this.#perform(action, texts));
  }

  // Queues an action until the core has loaded; choices and input are shown at once.
  /** @param {Action} action @param {Text[]} texts */
  #foresee(action, texts) {
    this.#queue.push([action, texts]);
    const [name, typed] = texts;
    const part = action === "typed" ? name : PARTS[action];
    if (!part) return;
    this.view = { ...this.view,
      [String(part)]: action === "typed" ? { ...field(), typed: String(typed) } : name };
    if (action === "side") {
      this.view.label = name === "sell" ? t("Review sell order") : t("Review buy order");
    }
    this.#face?.([]);
  }

  // Updates the core's facts; the caller redraws.
  /** @param {Facts} facts */
  know(facts) {
    if (!this.#core) {
      this.#facts = facts;
      return;
    }
    const { market = /** @type {Partial<TicketMarket>} */ ({}) } = facts;
    const signs = numberSigns(market.currency);
    if (signs !== this.#signs) this.#perform("signs", signs);
    this.#signs = signs;
    this.#perform("know", [
      flag(facts.isOnline), ORDERS.indexOf(facts.orders), flat(facts.failure), flag(facts.isLive),
      facts.freshness, flag(facts.reviews), flag(facts.tradingKeys), market.quantityStep,
      market.priceStep, market.changes, facts.revision, market.bid, market.bidSize, market.ask,
      market.askSize, market.price, "1", market.symbol?.split(":").at(-1),
      market.symbol?.includes(":") ? market.symbol : "",
    ]);
  }

  // An order awaiting its response has appeared in the list of orders.
  /** @param {string} id @param {Topic.Order} order */
  found(id, order) {
    const isPlaced = order.status !== "REJECTED";
    this.act("answered", order.clientId, flag(isPlaced), id, "",
      isPlaced ? "" : flat(order.reason));
  }

  // The filled quantity of the sent order when the list of orders first showed it.
  /** @param {Topic.Order} order */
  became(order) {
    const { sent } = this.view;
    if (!this.#core || sent?.state !== "placed" || this.#judged === sent.name) return;
    this.#judged = sent.name;
    // Reviews have an average price, too.
    this.#perform("became", [order.filled, ...order.average === undefined ? [] : [order.average]]);
  }

  // Several pasted lines are several numbers: line breaks become blanks.
  /** @param {string} text */
  pasted(text) {
    const core = this.#core;
    if (!core) this.#want();
    // Without the core, keep two numbers from merging into one.
    return core ? output(core, core.ticket_pasted(input(core, text)))
      : text.trim().replace(/[\t\r\n]+/g, " ");
  }

  #want() {
    this.#isWanted = true;
    return this.#load();
  }

  /**
   * Parses user input to digits with a point; "" if invalid or ambiguous.
   * @param {string} text
   * @param {boolean} isAmount whether a currency sign may be beside it
   */
  readNumber(text, isAmount) {
    const core = this.#core;
    if (!core) this.#want();
    return core ? output(core, core.ticket_number(isAmount ? 1 : 0, input(core, text))) : "";
  }

  // Formats digits with a point as the user types them.
  /** @param {string} text */
  writeNumber(text) {
    const core = this.#core;
    if (!core) this.#want();
    return core ? output(core, core.ticket_number(2, input(core, text))) : text;
  }

  /**
   * What an open order would trade at once with these figures, as sentences; null if it would rest,
   * or while the core is not loaded.
   * @param {Pick<Topic.Order, "side" | "symbol" | "limit" | "quantity" | "filled">} order
   * @param {TicketMarket | undefined} market
   */
  crossing({ side, symbol, limit, quantity, filled }, market) {
    const core = this.#core;
    if (!core || !market || market.symbol !== symbol) return null;
    const best = side === "buy" ? [market.ask, market.askSize] : [market.bid, market.bidSize];
    const named = symbol.includes(":") ? `{${symbol}}` : symbol;
    const texts = [side, limit, quantity, filled, ...best, named].map((part) => part ?? "");
    const found = output(core, core.ticket_crossing(input(core, texts.join(SEPARATOR))));
    /** @type {{text: Sentence, rest?: Sentence} | null} */
    const crossing = found ? JSON.parse(found) : null;
    return crossing;
  }

  async #load() {
    if (!this.#core) await (this.#loading ??= this.#fetch());
  }

  async #fetch() {
    try {
      const response = await fetch(new URL("../ticket.wasm", import.meta.url));
      if (!response.ok) throw new Error(`the ticket is missing (${response.status})`);
      const { instance } = await WebAssembly.instantiateStreaming(response, {});
      this.#core = /** @type {TicketExports} */ (/** @type {unknown} */ (instance.exports));
      this.#begin();
    } catch {
      this.view = { ...this.view, reason: t("The ticket could not be loaded.") };
    }
    this.#loading = null;
    this.#changed();
  }

  /** After a reload, restores the order awaiting its response, then runs the queued actions. */
  #begin() {
    this.#signs = numberSigns(undefined);
    this.#perform("signs", this.#signs);
    const kept = stored();
    if (kept) {
      const { order, sentAt, validity } = kept;
      const [condition, trigger, profit] = conditionOf(order);
      this.#perform("restore",
        [order.clientId, order.side, order.price, order.quantity, Math.floor(sentAt),
          order.protection, validity ?? order.timeInForce, order.instrument,
          condition, trigger, profit, order.expires, flag(order.reduceOnly)]);
    }
    // The market's steps must precede the queued actions.
    if (this.#facts) this.know(this.#facts);
    this.#facts = null;
    for (const [action, texts] of this.#queue.splice(0)) this.act(action, ...texts);
  }

  /** @param {Action} action @param {Text[]} texts @returns {TicketEffect[]} */
  #perform(action, texts) {
    const core = this.#core;
    if (!core) return [];
    const text = texts.map((part) => String(part ?? "").replaceAll(SEPARATOR, " "))
      .join(SEPARATOR);
    const length = core.ticket_act(ACTION[action], input(core, text), this.#link.elapsed,
      Date.now());
    this.view = JSON.parse(output(core, length));
    this.#wake();
    // Running an effect may replace the view.
    const { effects } = this.view;
    return effects.filter((effect) => !this.#obey(effect));
  }

  #wake() {
    clearTimeout(this.#timer);
    const { wake } = this.view;
    if (wake < 0) return;
    this.#timer = setTimeout(() => {
      this.act("timer");
      this.#changed();
    }, wake);
  }

  // Runs effects that need no screen; returns false for the rest.
  /** @param {TicketEffect} effect */
  #obey(effect) {
    switch (effect.do) {
      case "ask":
        this.#link.do({ do: "order.preview", ask: effect.number, order: effect.order });
        return true;
      case "place":
        if (!this.#link.do({ do: "order.place", order: effect.order,
          ...effect.again ? { resent: true } : {} })) {
          this.#perform("notSent", [effect.order.clientId]);
        }
        return true;
      case "keep":
        // Without storage a reload loses the pending order; the history still has it.
        remember(STORED_KEY, JSON.stringify(effect.order
          ? [{ order: effect.order, sentAt: effect.sentAt, validity: effect.validity }] : []),
        "sessionStorage");
        return true;
      case "announce":
        this.#announce(effect.text);
        return true;
      default:
        return false;
    }
  }

  /** @param {Wire.Reply} reply */
  #heard(reply) {
    if (reply.to === "order.preview") {
      if (reply.ok) {
        const [price, quantity] = reply.fill ?? [];
        this.act("previewed", reply.ask, "1", price, quantity, reply.leavesQuantity,
          flag(reply.remainderRests), reply.worst, reply.fee, reply.slippage, reply.position,
          reply.usual, reply.loss, reply.latency);
      } else {
        this.act("previewed", reply.ask, "", flat(reply.message), reply.field, reply.usual);
      }
    } else if (reply.to === "order.place") {
      this.act("answered", reply.clientId, flag(reply.ok), reply.id,
        flag(reply.ok && reply.repeated), reply.ok ? "" : flat(reply.message),
        reply.ok ? "" : reply.field);
    } else {
      return;
    }
    this.#changed();
  }
}

// Writes text into the core's input buffer; returns its length.
/** @param {TicketExports} core @param {string} text */
function input(core, text) {
  const bytes = new Uint8Array(core.memory.buffer, core.ticket_input(),
    core.ticket_input_capacity());
  return new TextEncoder().encodeInto(text, bytes).written ?? 0;
}

/** @param {TicketExports} core @param {number} length */
const output = (core, length) =>
  new TextDecoder().decode(new Uint8Array(core.memory.buffer, core.ticket_output(), length));

// What an order waits for or is linked to: the condition, trigger and take-profit.
/** @param {Wire.Ticket} order @returns {Text[]} */
const conditionOf = (order) => {
  if (order.bracketStop) return ["bracket", order.bracketStop, order.bracketProfit];
  const names = /** @type {const} */ (["stop", "takeProfit", "trail", "trailPercent", "oco"]);
  const name = names.find((one) => order[one]);
  return name ? [name, order[name]] : [];
};

// The order that awaited its response before the reload.
/** @returns {{order: Wire.Ticket, sentAt: number, validity?: string} | null} */
function stored() {
  try {
    const all = JSON.parse(read(STORED_KEY, "sessionStorage") ?? "[]");
    const kept = Array.isArray(all) ? all.at(-1) : null;
    const isSound = typeof kept?.order?.clientId === "string" && Number.isFinite(kept.sentAt);
    return isSound ? kept : null;
  } catch {
    return null;
  }
}

/** A unique order name: 128 random bits, also for pages without TLS. */
export function newClientId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `web-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
