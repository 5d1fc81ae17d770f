// The exports of core.wasm, as BrowserCore has them. Lengths are pixels of the screen, times are
// milliseconds, prices count units; 1 is true. Only for the type check: nothing of it is served.

interface CoreExports {
  memory: WebAssembly.Memory;
  chart_create(interval: number): number;
  chart_destroy(chart: number): void;
  chart_reset(chart: number, interval: number): number;
  chart_forget(chart: number, from: number): void;
  chart_bulk(): number;
  chart_bulk_capacity(): number;
  chart_append(chart: number, count: number): number;
  chart_prepend(chart: number, count: number): number;
  chart_add_tick(chart: number, time: number, price: number, quantity: number): number;
  chart_note_gap(chart: number, start: number, end: number): void;
  chart_seen_since(chart: number, time: number): void;
  chart_interrupted(chart: number, since: number): void;
  chart_clear_fills(chart: number): void;
  chart_add_fill(chart: number, time: number, price: number, isBuy: number): void;
  chart_resize(chart: number, width: number, height: number, paneHeight: number,
    ratio: number): void;
  chart_pan(chart: number, pixels: number): number;
  chart_zoom(chart: number, factor: number, x: number): void;
  chart_show(chart: number, interval: number, pixelsPerCandle: number): number;
  chart_live(chart: number): void;
  chart_oldest(chart: number): void;
  chart_reveal(chart: number, index: number): void;
  chart_style(chart: number, style: number): void;
  chart_clear_orders(chart: number): void;
  chart_add_order(chart: number, price: number, isBuy: number, isSeparate: number): number;
  chart_clear_alerts(chart: number): void;
  chart_add_alert(chart: number, price: number): number;
  chart_rehearse(chart: number, price: number): void;
  chart_clear_drawings(chart: number): void;
  chart_add_drawing(chart: number, kind: number, startTime: number, startPrice: number,
    endTime: number, endPrice: number): number;
  chart_drawing_at(chart: number, x: number, y: number, pixels: number): number;
  chart_move_drawing(chart: number, index: number, part: number, x: number, y: number): number;
  chart_step_drawing(chart: number, index: number, part: number, candles: number, ticks: number):
    number;
  chart_scale(chart: number, scale: number): void;
  chart_tick(chart: number, units: number): void;
  chart_stretch(chart: number, factor: number): void;
  chart_move_prices(chart: number, pixels: number): void;
  chart_fit(chart: number): void;
  chart_studies(chart: number, moving: number, exponential: number, bands: number, tenths: number,
    weighted: number, profile: number, strength: number, fast: number, slow: number,
    signal: number, range: number): void;
  chart_study(chart: number, study: number, index: number): number;
  chart_profile(chart: number): number;
  chart_zone(chart: number, offset: number): void;
  chart_zone_change(chart: number, time: number, offset: number): number;
  chart_draw(chart: number, now: number): number;
  chart_crosshair_at(chart: number): number;
  chart_crosshair(chart: number, x: number, y: number): number;
  chart_candle(chart: number, index: number): number;
}

/** The exports of ticket.wasm, as BrowserTicket has them. */
interface TicketExports {
  memory: WebAssembly.Memory;
  ticket_input(): number;
  ticket_input_capacity(): number;
  ticket_output(): number;
  ticket_act(kind: number, length: number, monotonic: number, wall: number): number;
  ticket_pasted(length: number): number;
  ticket_number(kind: number, length: number): number;
  ticket_crossing(length: number): number;
}

/** The exports of proof.wasm, as BrowserProof has them. */
interface ProofExports {
  memory: WebAssembly.Memory;
  proof_input(): number;
  proof_input_capacity(): number;
  proof_check(length: number, high: number | undefined, low: number | undefined,
    checksum: number | undefined, priceDigits: number, sizeDigits: number): number;
}

interface TicketField {
  typed: string;
  hint: Sentence;
  fault: Sentence;
}

interface TicketPreviewView {
  isEmpty: boolean;
  taken?: string;
  together?: string;
  worst?: string;
  fee?: string;
  slippage?: string;
  position?: string;
  remainder?: Sentence;
  bound?: Sentence;
  latency?: Sentence;
  kind?: "refused" | "cancelled";
}

interface TicketReviewData {
  title: Sentence;
  question?: Sentence;
  age: number;
  drift?: Sentence;
  kind?: "better" | "worse";
}

interface TicketSent {
  title: Sentence;
  name: string;
  state: "waiting" | "placed" | "rejected" | "unsent" | "doubtful" | "abandoned";
  id?: string;
  isOpen: boolean;
  status: Sentence;
  text: Sentence;
  isOwnWord: boolean;
  repeated?: Sentence;
  change?: Sentence;
  kind?: "better" | "worse";
  isAlarming: boolean;
  buttons: { act: "insist" | "abandon" | "edit" | "next"; label: Sentence }[];
}

type TicketEffect =
  | { do: "ask"; number: number; order: Wire.Ticket }
  | { do: "keep"; order?: Wire.Ticket; sentAt: number; validity?: string }
  | { do: "place"; order: Wire.Ticket; again: boolean }
  | { do: "focus"; on: "quantity" | "price" | "trigger" | "profit" | "protection" | "button" }
  | { do: "reveal" }
  | { do: "announce"; text: Sentence };

/** The ticket as it is drawn. Figures in its sentences are marked: `{$45.10}`, `{60}`, `{ago}`. */
interface TicketView {
  phase: "form" | "review" | "confirmation" | "sent";
  side: Wire.Side;
  type: "market" | "limit";
  last: string;
  turn: number;
  settle: number;
  wake: number;
  quantity: TicketField;
  price: TicketField;
  protection: TicketField;
  trigger: TicketField;
  profit: TicketField;
  condition: "none" | "stop" | "takeProfit" | "trail" | "trailPercent" | "oco" | "bracket";
  timeInForce: "gtc" | "ioc" | "fok" | "hour" | "day" | "week"
    | "post" | "posthour" | "postday" | "postweek";
  reduceOnly: boolean;
  again?: Sentence;
  shares: { percent: number; quantity?: string }[];
  label: Sentence;
  isClosed: boolean;
  isBlocked: boolean;
  reason: Sentence;
  preview: TicketPreviewView;
  review?: TicketReviewData;
  sent?: TicketSent;
  effects: TicketEffect[];
}
